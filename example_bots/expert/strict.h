// Exact play of the strict phase (stock exhausted or closed) with both hands known: alpha-beta over game points.
#pragma once
#include <algorithm>
#include <vector>

#include "cards.h"

// What a win is worth against a player with these card points (R18).
inline int price(bool loser_has_trick, int loser_points) {
    return !loser_has_trick ? 3 : loser_points < 33 ? 2 : 1;
}

// A position between two tricks. `side` says which player (0 or 1) leads.
struct StrictPosition {
    Mask leader = 0, other = 0;
    int leader_points = 0, other_points = 0;
    bool leader_won = false, other_won = false;  // a trick, that is
    int side = 0;

    StrictPosition after(int led, int answer, int trump) const {
        StrictPosition next = *this;
        next.leader &= ~bit(led);
        next.other &= ~bit(answer);
        int worth = points_of(led) + points_of(answer);
        if (beats(answer, led, trump)) {
            std::swap(next.leader, next.other);
            std::swap(next.leader_points, next.other_points);
            std::swap(next.leader_won, next.other_won);
            next.side ^= 1;
        }
        next.leader_points += worth;
        next.leader_won = true;
        return next;
    }
};

class StrictSolver {
public:
    long nodes = 0;

    StrictSolver() : table_(kTableSize) {}

    // A new pair of hands. `closer` is 0, 1 or kNone; `failure` is what a failed close costs.
    void start(int trump, int closer, int failure) {
        trump_ = trump;
        closer_ = closer;
        failure_ = failure;
        generation_++;
    }

    // Game points, seen by the leader, with best play of both.
    int lead(const StrictPosition& p) { return search(p, -3, 3); }

    // The same once the leader has led `card`.
    int lead(const StrictPosition& p, int card) { return answer(p, card, -3, 3); }

private:
    struct Entry {
        uint64_t key = 0;
        int8_t low = -3, high = 3;
    };
    static constexpr size_t kTableSize = 1 << 13;
    std::vector<Entry> table_;
    int trump_ = 0, closer_ = kNone, failure_ = 2;
    uint64_t generation_ = 0;

    // The leader's win by declaring now, or by what is left of the deal at its best.
    int win_of_leader(const StrictPosition& p) const {
        return closer_ == (p.side ^ 1) ? failure_ : price(p.other_won, p.other_points);
    }
    int win_of_other(const StrictPosition& p) const {
        return closer_ == p.side ? failure_ : price(p.leader_won, p.leader_points);
    }

    int played_out(const StrictPosition& p) const {
        if (closer_ == kNone) {
            int leader = p.leader_points + 10, other = p.other_won ? p.other_points : 0;
            if (leader == other) return 0;
            return leader > other ? price(p.other_won, p.other_points) : -price(true, leader);
        }
        if (closer_ == p.side) return p.leader_points >= 66 ? win_of_leader(p) : -failure_;
        return p.other_won && p.other_points >= 66 ? -win_of_other(p) : failure_;
    }

    int search(const StrictPosition& p, int alpha, int beta) {
        nodes++;
        if (!p.leader) return played_out(p);
        if (p.leader_won && p.leader_points >= 66) return win_of_leader(p);
        int high = win_of_leader(p), low = -win_of_other(p);
        if (closer_ != kNone) {
            int left = points_in(p.leader | p.other);
            bool closer_leads = closer_ == p.side;
            if ((closer_leads ? p.leader_points : p.other_points) + left < 66) return closer_leads ? low : high;
        }
        Entry* entry = nullptr;
        uint64_t key = 0;
        if (count(p.leader) >= 3) {
            key = generation_ << 36 | uint64_t(p.leader_points) << 27 | uint64_t(p.other_won) << 26 |
                  uint64_t(p.leader_won) << 25 | uint64_t(p.side) << 24 | (p.leader | p.other);
            entry = &table_[(key * 0x9e3779b97f4a7c15ull) >> 51];
            if (entry->key == key) {
                low = std::max<int>(low, entry->low);
                high = std::min<int>(high, entry->high);
            }
        }
        if (low >= beta || low == high) return low;
        if (high <= alpha) return high;
        int best = low, bound = std::max(alpha, low);
        int moves[8];
        int n = order_leads(p, moves);
        for (int i = 0; i < n && best < high && best < beta; i++) {
            best = std::max(best, answer(p, moves[i], bound, std::min(beta, high)));
            bound = std::max(bound, best);
        }
        if (entry) {
            if (entry->key != key) *entry = {key, int8_t(low), int8_t(high)};
            if (best < beta || best >= high) entry->high = int8_t(best);
            if (best > alpha) entry->low = int8_t(best);
        }
        return best;
    }

    int answer(const StrictPosition& p, int led, int alpha, int beta) {
        int worst = 4;
        Mask answers = strict_answers(p.other, led, trump_);
        Mask winners = 0;
        for (Mask m = answers; m; m &= m - 1)
            if (beats(lowest(m), led, trump_)) winners |= m & -m;
        // Winning answers first, then the cheap ones.
        for (Mask group : {winners, answers & ~winners}) {
            for (Mask m = group; m; m &= m - 1) {
                int card = lowest(m);
                StrictPosition next = p.after(led, card, trump_);
                int value = next.side == p.side ? search(next, alpha, std::min(beta, worst))
                                                : -search(next, -std::min(beta, worst), -alpha);
                worst = std::min(worst, value);
                if (worst <= alpha) return worst;
            }
        }
        return worst;
    }

    // Sure winners first, the dear ones before the cheap; then the rest, cheap before dear.
    int order_leads(const StrictPosition& p, int* moves) const {
        int scores[8], n = 0;
        for (Mask m = p.leader; m; m &= m - 1) {
            int card = lowest(m);
            Mask answers = strict_answers(p.other, card, trump_);
            bool wins = !beats(31 - __builtin_clz(answers), card, trump_);
            if (wins && suit_of(card) != trump_ && (answers & suit_mask(trump_))) wins = false;
            int score = wins ? 100 + points_of(card) + (suit_of(card) == trump_ ? 20 : 0) : -points_of(card);
            int i = n++;
            for (; i > 0 && scores[i - 1] < score; i--) scores[i] = scores[i - 1], moves[i] = moves[i - 1];
            scores[i] = score;
            moves[i] = card;
        }
        return n;
    }
};
