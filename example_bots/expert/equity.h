// What game points are worth: the chance to win the match.
#pragma once
#include "strict.h"

constexpr int kLongest = 63;  // the longest race in the table

// The value to me of each result of this deal, from -3 to 3 game points.
struct Utility {
    double of[7] = {-3, -2, -1, 0, 1, 2, 3};
    double operator[](int game_points) const { return of[game_points + 3]; }

    // How the opponent sees it.
    Utility reversed() const {
        Utility u;
        for (int g = -3; g <= 3; g++) u.of[g + 3] = -of[3 - g];
        return u;
    }
};

// Chance to win a match when `mine` and `theirs` are the game points still needed, by dynamic programming on how
// often a deal is worth 1, 2 or 3 between equal players.
class MatchEquity {
public:
    MatchEquity() {
        constexpr double kWorth[4] = {0, 0.46, 0.42, 0.12};
        for (int mine = 1; mine <= kLongest; mine++)
            for (int theirs = 1; theirs <= kLongest; theirs++)
                for (int g = 1; g <= 3; g++)
                    chance_[mine][theirs] += kWorth[g] / 2 * (of(mine - g, theirs) + of(mine, theirs - g));
    }

    double of(int mine, int theirs) const { return mine <= 0 ? 1 : theirs <= 0 ? 0 : chance_[mine][theirs]; }

    Utility utility(int target, int my_score, int their_score) const {
        int mine = std::clamp(target - my_score, 1, kLongest), theirs = std::clamp(target - their_score, 1, kLongest);
        Utility u;
        for (int g = -3; g <= 3; g++)
            u.of[g + 3] = g >= 0 ? of(mine - g, theirs) : of(mine, theirs + g);
        // A sliver for game points as such, so that 3 is better than 1 where both end the match.
        for (int g = -3; g <= 3; g++) u.of[g + 3] += 1e-6 * g;
        return u;
    }

private:
    double chance_[kLongest + 1][kLongest + 1] = {};
};
