// The decisions.
#pragma once
#include "equity.h"
#include "history.h"

struct Action {
    enum Kind { kPlay, kMarriage, kExchange, kClose, kDraw, kDeclare } kind = kPlay;
    int card = kNone;  // of a play
    int suit = kNone;  // of a marriage
};

// How much work a decision may take; more changes little.
struct Effort {
    int lead_samples = 60;     // hands looked at before leading with the stock open
    int close_samples = 40;    // ... to judge closing
    int strict_samples = 60;   // ... when the stock is closed
    int candidates = 4;        // hands weighed for each one looked at
    bool exact_last = true;    // trick six: solve all that may follow
    double temperature = 0.15; // of the opponent's choices, in game points; 0: all hands are equally likely
    double explore = 0;        // chance of a random card, for training
};

constexpr double kNever = -1e9;

class Thinker {
public:
    Random random;
    Effort effort;
    Utility mine;
    StrictSolver solver;

    explicit Thinker(const Network& network) : network_(network) {}

    // Before the draw, after winning a trick: close, draw or declare.
    Action before_draw(const View& v) {
        if (v.counted(0) >= 66) return {Action::kDeclare};
        double go_on = between_tricks(v, true, mine);
        return {close_value(v, v.hand, go_on) > go_on ? Action::kClose : Action::kDraw};
    }

    // On lead. `married` is the suit just announced, if any.
    Action lead(const View& v, int married = kNone) {
        if (v.counted(0) >= 66) return {Action::kDeclare};
        Mask allowed = married == kNone ? v.hand : v.hand & marriage_cards(married);
        if (v.strict()) return {Action::kPlay, strict_card(v, allowed)};
        int nine = v.trump * 6 + kNine;
        if (married == kNone && v.tricks[0] && (v.hand & bit(nine)) && v.up != nine) return {Action::kExchange};
        if (random.unit() < effort.explore) return {Action::kPlay, lowest(choose(allowed, 1, random))};

        Lead best = best_lead(v, allowed, married != kNone);
        Lead later = married == kNone ? announce_and_close(v, best.value) : Lead();
        double goal = std::max(best.value, later.value);
        if (close_value(v, allowed, goal) > goal) return {Action::kClose};
        if (later.value > best.value) return {Action::kMarriage, kNone, later.suit};
        if (best.suit != kNone) return {Action::kMarriage, kNone, best.suit};
        return {Action::kPlay, best.card};
    }

    Action follow(const View& v) {
        if (v.counted(0) >= 66) return {Action::kDeclare};
        if (v.strict()) return {Action::kPlay, strict_card(v, strict_answers(v.hand, v.led, v.trump))};
        if (random.unit() < effort.explore) return {Action::kPlay, lowest(choose(v.hand, 1, random))};
        return {Action::kPlay, open_answer(v, mine, effort.exact_last)};
    }

private:
    struct Lead {
        int card = kNone, suit = kNone;
        double value = kNever;
    };
    const Network& network_;

    double expected(const Outcomes& o, const Utility& u) const {
        double sum = 0;
        for (int k = 0; k < kOutcomes; k++) sum += o.chance[k] * u.of[k];
        return sum;
    }

    // An open deal between two tricks, before the draw; `leader`: I won the last one.
    double between_tricks(const View& v, bool leader, const Utility& u) {
        if (leader && v.counted(0) >= 66) return u[price(v.tricks[1], v.points[1])];
        if (!leader && v.counted(1) >= 66) return u[-price(v.tricks[0], v.points[0])];
        return expected(network_.evaluate(Features(v, leader)), u);
    }

    double after_trick(View v, int first, int second, bool i_lead, const Utility& u) {
        bool second_wins = beats(second, first, v.trump);
        bool i_win = second_wins != i_lead;
        v.take_trick(i_win ? 0 : 1, first, second);
        return between_tricks(v, i_win, u);
    }

    // The value of a strict position with their hand known; `i_lead` says who leads.
    int solve(const View& v, Mask theirs, bool i_lead) {
        StrictPosition p = position(v, theirs, i_lead);
        int value = solver.lead(p);
        return i_lead ? value : -value;
    }

    static StrictPosition position(const View& v, Mask theirs, bool i_lead) {
        StrictPosition p;
        int a = i_lead ? 0 : 1;
        p.leader = i_lead ? v.hand : theirs;
        p.other = i_lead ? theirs : v.hand;
        p.leader_points = v.points[a];
        p.other_points = v.points[a ^ 1];
        p.leader_won = v.tricks[a];
        p.other_won = v.tricks[a ^ 1];
        p.side = a;
        return p;
    }

    // After trick six: draw the last two cards, solve the rest. `last` is the face-down card, `theirs` five cards.
    double after_trick_six(View v, Mask theirs, int last, int first, int second, bool i_lead, const Utility& u) {
        bool i_win = beats(second, first, v.trump) != i_lead;
        v.take_trick(i_win ? 0 : 1, first, second);
        if (i_win && v.counted(0) >= 66) return u[price(v.tricks[1], v.points[1])];
        if (!i_win && v.counted(1) >= 66) return u[-price(v.tricks[0], v.points[0])];
        (i_win ? v.hand : theirs) |= bit(last);
        (i_win ? theirs : v.hand) |= bit(v.up);
        v.stock = 0;
        solver.start(v.trump, kNone, 2);
        return u[solve(v, theirs, i_win)];
    }

    int open_answer(const View& v, const Utility& u, bool exact) {
        int best = kNone;
        double best_value = kNever;
        for (Mask m = v.hand; m; m &= m - 1) {
            int card = lowest(m);
            double value;
            if (exact && v.stock == 2) {
                value = 0;
                Mask pool = v.unseen(), last = pool & ~v.shown;
                for (Mask k = last; k; k &= k - 1)
                    value += after_trick_six(v, pool & ~(k & -k), lowest(k), v.led, card, false, u);
                value /= count(last);
                value += 1e-4 * after_trick(v, v.led, card, false, u);
            } else {
                value = after_trick(v, v.led, card, false, u);
            }
            if (value > best_value) best_value = value, best = card;
        }
        return best;
    }

    // Hands the opponent may hold, in proportion to how likely they make what he has done.
    std::vector<Mask> worlds(const View& v, int n) {
        std::vector<Mask> hands;
        bool weigh = effort.temperature > 0 && v.history && v.history->size() > 0;
        if (!weigh) {
            for (int i = 0; i < n; i++) hands.push_back(v.sample_hand(random));
            return hands;
        }
        std::vector<Mask> candidates;
        std::vector<double> up_to;
        double sum = 0;
        for (int i = 0; i < n * effort.candidates; i++) {
            candidates.push_back(v.sample_hand(random));
            up_to.push_back(sum += likelihood(v, candidates.back()));
        }
        double at = random.unit();
        for (int i = 0, c = 0; i < n; i++) {
            while (c + 1 < int(candidates.size()) && up_to[c] < (i + at) / n * sum) c++;
            hands.push_back(candidates[c]);
        }
        for (int i = n - 1; i > 0; i--) std::swap(hands[i], hands[random.below(i + 1)]);
        return hands;
    }

    // Goes back through his plays, taking away what he may have drawn and giving back what he has played.
    double likelihood(const View& v, Mask hand) {
        const History& history = *v.history;
        double result = 1;
        for (int i = history.size() - 1; i >= 0; i--) {
            const Past& past = history[i];
            if (past.drew) {
                Mask drawn = hand & ~v.shown;
                if (!drawn) drawn = hand;
                hand &= ~choose(drawn, 1, random);
            }
            hand |= bit(past.card);
            if (past.answered && !past.his.strict()) result *= answer_likelihood(past, hand);
            if (past.exchanged != kNone) hand = (hand & ~bit(past.exchanged)) | bit(v.trump * 6 + kNine);
        }
        return result;
    }

    double answer_likelihood(const Past& past, Mask hand) {
        View his = past.his;
        his.hand = hand;
        double values[24], top = kNever, sum = 0;
        Utility plain;
        for (Mask m = hand; m; m &= m - 1) {
            int card = lowest(m);
            values[card] = after_trick(his, his.led, card, false, plain);
            top = std::max(top, values[card]);
        }
        for (Mask m = hand; m; m &= m - 1) sum += std::exp((values[lowest(m)] - top) / effort.temperature);
        return 0.02 + std::exp((values[past.card] - top) / effort.temperature) / sum;
    }

    // Try every lead against sampled hands; the opponent answers as the network would in his place.
    Lead best_lead(const View& v, Mask allowed, bool announced) {
        Lead leads[16];
        View views[16];
        int n = 0;
        for (Mask m = allowed; m; m &= m - 1) {
            Lead lead;
            lead.card = lowest(m);
            View view = v;
            int suit = suit_of(lead.card);
            Mask pair = marriage_cards(suit);
            if (!announced && (pair & bit(lead.card)) && (v.hand & pair) == pair) {
                lead.suit = suit;
                view.announce(0, suit);
            }
            lead.value = 0;
            views[n] = view;
            leads[n++] = lead;
        }
        Utility theirs = mine.reversed();
        bool last = effort.exact_last && v.stock == 2;
        Mask pool = v.unseen(), last_cards = pool & ~v.shown;
        int samples = last ? count(last_cards) : effort.lead_samples;
        std::vector<Mask> hands;
        if (!last) hands = worlds(v, samples);
        for (int s = 0; s < samples; s++) {
            Mask hand;
            int face_down = kNone;
            if (last) {
                face_down = lowest(last_cards);
                last_cards &= last_cards - 1;
                hand = pool & ~bit(face_down);
            } else {
                hand = hands[s];
            }
            for (int i = 0; i < n; i++) {
                int card = leads[i].card;
                if (views[i].counted(0) >= 66) {
                    leads[i].value += mine[price(v.tricks[1], v.points[1])];
                    continue;
                }
                View other = views[i].flipped(hand);
                other.led = card;
                other.gone |= bit(card);
                int answer = open_answer(other, theirs, false);
                Mask left = hand & ~bit(answer);
                leads[i].value += last ? after_trick_six(views[i], left, face_down, card, answer, true, mine)
                                       : after_trick(views[i], card, answer, true, mine);
            }
        }
        Lead best;
        for (int i = 0; i < n; i++) {
            leads[i].value /= samples;
            if (leads[i].value > best.value) best = leads[i];
        }
        return best;
    }

    // The best marriage to announce before closing.
    Lead announce_and_close(const View& v, double goal) {
        Lead best;
        for (int suit = 0; suit < 4; suit++) {
            Mask pair = marriage_cards(suit);
            if ((v.hand & pair) != pair) continue;
            View announced = v;
            announced.announce(0, suit);
            double value = close_value(announced, pair, std::max(goal, best.value));
            if (value > best.value) best.value = value, best.suit = suit;
        }
        return best;
    }

    // The value of closing now with the best first lead. Gives up early (a very low value) where it cannot beat `goal`.
    double close_value(const View& open, Mask allowed, double goal) {
        View v = open;
        v.close(0);
        int most = v.points[0] + points_in(v.hand) + 11 * count(v.hand);
        if (most < 66 || goal >= mine[price(v.tricks[1], v.points[1])]) return kNever;
        constexpr int kFirst = 8;
        double sum[24] = {}, hopeful = 0;
        int samples = effort.close_samples;
        std::vector<Mask> hands = worlds(v, samples);
        for (int s = 0; s < samples; s++) {
            Mask theirs = hands[s];
            StrictPosition p = position(v, theirs, true);
            solver.start(v.trump, 0, v.failure());
            double top = kNever;
            for (Mask m = allowed; m; m &= m - 1) {
                double value = mine[solver.lead(p, lowest(m))];
                sum[lowest(m)] += value;
                top = std::max(top, value);
            }
            hopeful += top;
            if (s + 1 == kFirst && hopeful / kFirst <= goal) return kNever;
        }
        double best = kNever;
        for (Mask m = allowed; m; m &= m - 1) best = std::max(best, sum[lowest(m)] / samples);
        return best;
    }

    // Strict play: solve sampled worlds (there is only one when the stock is exhausted), take the best on average.
    int strict_card(const View& v, Mask allowed) {
        if (!(allowed & (allowed - 1))) return lowest(allowed);
        double sum[24] = {};
        bool known = count(v.unseen()) <= v.their_count();
        int samples = known ? 1 : effort.strict_samples;
        for (Mask theirs : known ? std::vector<Mask>{v.sample_hand(random)} : worlds(v, samples)) {
            solver.start(v.trump, v.closer, v.failure());
            for (Mask m = allowed; m; m &= m - 1) {
                int card = lowest(m);
                int value;
                if (v.led == kNone) {
                    value = solver.lead(position(v, theirs, true), card);
                } else {
                    StrictPosition p = position(v, theirs | bit(v.led), false).after(v.led, card, v.trump);
                    value = solver.lead(p);
                    if (p.side != 0) value = -value;
                }
                sum[card] += mine[value];
            }
        }
        int best = kNone;
        for (Mask m = allowed; m; m &= m - 1)
            if (best == kNone || sum[lowest(m)] > sum[best]) best = lowest(m);
        return best;
    }
};
