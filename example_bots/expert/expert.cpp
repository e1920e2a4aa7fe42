// expert: a Sixty-Six bot. It remembers all that a player may remember, looks one trick ahead with a small network
// that was trained by self-play, and solves the strict phase. See README.md.
//
// This file speaks the protocol and keeps the memory; the decisions are in think.h.
#include <cstdio>
#include <iostream>
#include <memory>

#include "json.h"
#include "think.h"
#include "weights.h"

class Bot {
public:
    Bot() : network_(*unpack_weights()), thinker_(network_) {}

    // Returns the line to answer with, or nothing.
    std::string hear(const Json& message) {
        const Json& type = message["type"];
        if (type.is("hello")) {
            return R"({"type":"ready","name":"expert","version":"1.0","close_before_draw":true})";
        } else if (type.is("match")) {
            seed_ = uint64_t(message["seed"].integer());
            target_ = int(message["target"].integer());
        } else if (type.is("deal")) {
            new_deal(message);
        } else if (type.is("action")) {
            if (message["by"].is("opponent")) opponent_acted(message);
        } else if (type.is("trick")) {
            trick_taken(message);
        } else if (type.is("draw")) {
            view_.opponent_drew();
            history_.drew();
        } else if (type.is("turn")) {
            return answer(message);
        }
        return "";
    }

private:
    Network network_;
    Thinker thinker_;
    MatchEquity equity_;
    uint64_t seed_ = 0;
    int target_ = 7;
    View view_;
    History history_;
    int my_lead_ = kNone;        // my card on the table
    int married_ = kNone;        // the suit I have announced on this lead
    int their_marriage_ = kNone; // the suit the opponent has announced on this lead

    static int suit_from(const Json& json) {
        size_t suit = json.text.size() == 1 ? std::string("CDHS").find(json.text) : std::string::npos;
        return suit == std::string::npos ? kNone : int(suit);
    }

    static Mask cards_from(const Json& list) {
        Mask cards = 0;
        for (const Json& item : list.items)
            if (int card = card_from(item.text); card != kNone) cards |= bit(card);
        return cards;
    }

    void new_deal(const Json& message) {
        history_.clear();
        view_ = View();
        view_.history = &history_;
        view_.hand = cards_from(message["hand"]);
        view_.up = card_from(message["trump_card"].text);
        if (view_.up != kNone) view_.trump = suit_of(view_.up);
        married_ = their_marriage_ = my_lead_ = kNone;
        const Json& score = message["score"];
        thinker_.mine = equity_.utility(target_, int(score["you"].integer()), int(score["opponent"].integer()));
        thinker_.random.state = seed_ * 1000003 + uint64_t(message["deal"].integer());
    }

    void opponent_acted(const Json& message) {
        const Json& action = message["action"];
        if (action.is("play")) {
            int card = card_from(message["card"].text);
            if (card == kNone) return;
            history_.played(view_, card, my_lead_);
            if (my_lead_ == kNone) view_.opponent_led(card, their_marriage_ != kNone);
            else view_.opponent_answered(card, my_lead_);
            view_.shown &= ~bit(card);
            view_.gone |= bit(card);
            their_marriage_ = kNone;
        } else if (action.is("marriage")) {
            their_marriage_ = suit_from(message["suit"]);
            if (their_marriage_ != kNone) view_.announce(1, their_marriage_);
        } else if (action.is("exchange")) {
            if (view_.up == kNone) return;
            history_.exchanged(view_.up);
            view_.shown |= bit(view_.up);
            view_.up = view_.trump * 6 + kNine;
        } else if (action.is("close")) {
            view_.close(1);
        }
    }

    void trick_taken(const Json& message) {
        const std::vector<Json>& cards = message["cards"].items;
        if (cards.size() != 2) return;
        int first = card_from(cards[0].text), second = card_from(cards[1].text);
        if (first != kNone && second != kNone) view_.take_trick(message["winner"].is("you") ? 0 : 1, first, second);
        my_lead_ = kNone;
    }

    std::string answer(const Json& turn) {
        // What the turn says is taken from there: memory adds only what it leaves out.
        view_.hand = cards_from(turn["hand"]);
        view_.stock = int(turn["stock"].integer());
        view_.up = view_.stock ? card_from(turn["trump_card"].text) : kNone;
        view_.led = card_from(turn["led"].text);
        if (view_.led != kNone) view_.gone |= bit(view_.led);
        if (view_.closer == kNone && !turn["closed_by"].is_null()) view_.close(turn["closed_by"].is("you") ? 0 : 1);

        Action action = turn["phase"].is("draw")     ? thinker_.before_draw(view_)
                        : turn["phase"].is("follow") ? thinker_.follow(view_)
                                                     : thinker_.lead(view_, married_);
        if (!is_legal(turn["legal"], action)) return line(turn, first_legal(turn["legal"]));  // unknown house rules
        remember(action, turn["phase"].is("lead"));
        return line(turn, text(action));
    }

    void remember(const Action& action, bool on_lead) {
        switch (action.kind) {
            case Action::kMarriage:
                married_ = action.suit;
                view_.announce(0, married_);
                break;
            case Action::kExchange: view_.mine_shown |= bit(view_.up); break;
            case Action::kClose: view_.close(0); break;
            case Action::kPlay:
                my_lead_ = on_lead ? action.card : kNone;
                married_ = kNone;
                break;
            default: break;
        }
    }

    static const char* name(Action::Kind kind) {
        static const char* kNames[] = {"play", "marriage", "exchange", "close", "draw", "declare"};
        return kNames[kind];
    }

    static std::string text(const Action& action) {
        std::string s = std::string(R"("action":")") + name(action.kind) + '"';
        if (action.card != kNone) s += R"(,"card":")" + card_text(action.card) + '"';
        if (action.suit != kNone) s += std::string(R"(,"suit":")") + "CDHS"[action.suit] + '"';
        return s;
    }

    static bool is_legal(const Json& legal, const Action& action) {
        for (const Json& item : legal.items)
            if (item["action"].is(name(action.kind)) && card_from(item["card"].text) == action.card &&
                suit_from(item["suit"]) == action.suit)
                return true;
        return false;
    }

    static std::string first_legal(const Json& legal) {
        for (const Json& item : legal.items) {
            if (!item["action"].is("play") && !item["action"].is("draw")) continue;
            std::string s = R"("action":")" + item["action"].text + '"';
            for (const char* field : {"card", "suit"})
                if (!item[field].is_null()) s += std::string(",\"") + field + "\":\"" + item[field].text + '"';
            return s;
        }
        return R"("action":"draw")";
    }

    static std::string line(const Json& turn, const std::string& action) {
        return R"({"id":)" + turn["id"].text + ',' + action + '}';
    }
};

int main() {
    std::ios::sync_with_stdio(false);
    Bot bot;
    std::string input;
    while (std::getline(std::cin, input)) {
        Json message = Json::parse(input);
        if (message["type"].is("bye")) break;
        std::string output = bot.hear(message);
        if (!output.empty()) std::cout << output << '\n' << std::flush;
    }
}
