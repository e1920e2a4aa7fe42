// Cards, sets of cards, and a small random generator.
//
// A card is a number 0..23: suit * 6 + rank, ranks rising 9 J Q K T A. A set of cards is a bit mask.
#pragma once
#include <cstdint>
#include <string>

using Mask = uint32_t;

constexpr int kNine = 0, kJack = 1, kQueen = 2, kKing = 3, kTen = 4, kAce = 5;
constexpr int kNone = -1;
constexpr Mask kAllCards = (1u << 24) - 1;

inline int suit_of(int card) { return card / 6; }
inline int rank_of(int card) { return card % 6; }
inline Mask bit(int card) { return 1u << card; }
inline Mask suit_mask(int suit) { return 63u << (6 * suit); }
inline int count(Mask m) { return __builtin_popcount(m); }
inline int lowest(Mask m) { return __builtin_ctz(m); }

inline int points_of(int card) {
    static constexpr int8_t kPoints[6] = {0, 2, 3, 4, 10, 11};
    return kPoints[rank_of(card)];
}

inline int points_in(Mask m) {
    int sum = 0;
    for (; m; m &= m - 1) sum += points_of(lowest(m));
    return sum;
}

// Would `answer` take the trick from `led`?
inline bool beats(int answer, int led, int trump) {
    if (suit_of(answer) == suit_of(led)) return answer > led;
    return suit_of(answer) == trump;
}

// The cards that strict play allows as an answer.
inline Mask strict_answers(Mask hand, int led, int trump) {
    Mask same = hand & suit_mask(suit_of(led));
    if (Mask higher = same & ~((bit(led) << 1) - 1)) return higher;
    if (same) return same;
    if (Mask trumps = hand & suit_mask(trump)) return trumps;
    return hand;
}

inline Mask marriage_cards(int suit) { return bit(suit * 6 + kQueen) | bit(suit * 6 + kKing); }

inline int card_from(const std::string& text) {
    if (text.size() != 2) return kNone;
    size_t rank = std::string("9JQKTA").find(text[0]), suit = std::string("CDHS").find(text[1]);
    if (rank == std::string::npos || suit == std::string::npos) return kNone;
    return int(suit * 6 + rank);
}

inline std::string card_text(int card) { return {"9JQKTA"[rank_of(card)], "CDHS"[suit_of(card)]}; }

// SplitMix64: small, fast, and the same on every machine.
struct Random {
    uint64_t state = 0;
    uint64_t next() {
        uint64_t z = (state += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    int below(int n) { return int(((next() >> 32) * uint64_t(n)) >> 32); }
    double unit() { return double(next() >> 11) * 0x1p-53; }
};

// `n` different cards out of `pool`.
inline Mask choose(Mask pool, int n, Random& random) {
    int8_t cards[24];
    int size = 0;
    for (; pool; pool &= pool - 1) cards[size++] = int8_t(lowest(pool));
    Mask chosen = 0;
    for (int i = 0; i < n && i < size; i++) {
        int j = i + random.below(size - i);
        chosen |= bit(cards[j]);
        cards[j] = cards[i];
    }
    return chosen;
}
