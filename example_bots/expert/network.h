// The evaluation: a small network that looks at an open deal between two tricks, before anybody draws, through the
// eyes of one player, and gives the chances of every outcome (lose 3, 2, 1, nothing, win 1, 2, 3).
//
// Each suit is read by the same neurons (the trump suit by its own), and what they say of the three plain suits is
// added up, so the order of the suits cannot matter. A suit has only 4^6 states, so what it adds to the hidden layer
// is kept in a table: to evaluate is to add up a dozen rows.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "view.h"

constexpr int kOutcomes = 7;  // game points -3 .. 3
constexpr int kSuitNeurons = 32;
constexpr int kHidden = 64;
constexpr int kPointSteps = 8;  // 0-10, 10-20, ... 60-70, and the threshold 33
constexpr int kSuitStates = 4096;
constexpr int kMostPoints = 127;

using Row = std::array<float, kHidden>;

// As they are trained; `weights.h` has the values.
struct Weights {
    float suit[2][6][4][kSuitNeurons];  // plain or trump; rank; state of the card
    float suit_bias[2][kSuitNeurons];
    Row from_suit[2][kSuitNeurons];
    Row bias, leader;
    Row tricks_played[6], up[6];
    Row has_trick[2];
    Row points[2][kPointSteps];
    float out[kHidden][kOutcomes + 1];  // one column of padding
    float out_bias[kOutcomes + 1];
};

struct Outcomes {
    float chance[kOutcomes] = {};
};

// What the network sees.
struct Features {
    uint16_t suit[4];  // two bits a card: gone, mine, shown to be theirs, unseen; the trump suit last
    uint8_t leader, tricks_played, up, has_trick[2], points[2];

    Features(const View& v, bool i_lead) {
        Mask unseen = v.unseen(), theirs = unseen & v.shown, hidden = unseen & ~v.shown;
        int row = 0;
        for (int s = 0; s < 4; s++)
            suit[s == v.trump ? 3 : row++] =
                uint16_t(spread(v.hand >> 6 * s) | spread(theirs >> 6 * s) << 1 | spread(hidden >> 6 * s) * 3);
        leader = i_lead;
        tricks_played = uint8_t(std::clamp((12 - v.stock) / 2, 0, 5));
        up = uint8_t(std::max(0, rank_of(v.up)));
        for (int who : {0, 1}) {
            has_trick[who] = v.tricks[who] > 0;
            points[who] = uint8_t(std::min(v.points[who], kMostPoints));
        }
    }

    static float step(int points, int i) {
        if (i == kPointSteps - 1) return points >= 33;
        return std::clamp(points / 10.0f - i, 0.0f, 1.0f);
    }

private:
    // Six bits, each moved to an even place.
    static int spread(Mask bits) {
        static constexpr uint8_t kThree[8] = {0, 1, 4, 5, 16, 17, 20, 21};
        return kThree[bits & 7] | kThree[bits >> 3 & 7] << 6;
    }
};

class Network {
public:
    explicit Network(const Weights& weights) : suits_(2 * kSuitStates) { prepare(weights); }

    void prepare(const Weights& weights) {
        w_ = weights;
        for (int kind : {0, 1})
            for (int state = 0; state < kSuitStates; state++)
                suits_[kind * kSuitStates + state] = read_suit(kind, state);
        for (int who : {0, 1})
            for (int p = 0; p <= kMostPoints; p++) {
                points_[who][p] = {};
                for (int i = 0; i < kPointSteps; i++) add(points_[who][p], w_.points[who][i], Features::step(p, i));
            }
    }

    Outcomes evaluate(const Features& f) const {
        Row hidden = w_.bias;
        for (int s = 0; s < 3; s++) add(hidden, suits_[f.suit[s]]);
        add(hidden, suits_[kSuitStates + f.suit[3]]);
        add(hidden, w_.tricks_played[f.tricks_played]);
        add(hidden, w_.up[f.up]);
        if (f.leader) add(hidden, w_.leader);
        for (int who : {0, 1}) {
            add(hidden, points_[who][f.points[who]]);
            if (f.has_trick[who]) add(hidden, w_.has_trick[who]);
        }
        Four left = load(w_.out_bias), right = load(w_.out_bias + 4);
        for (int i = 0; i < kHidden; i++) {
            float x = std::max(hidden[i], 0.0f);
            left += x * load(w_.out[i]);
            right += x * load(w_.out[i] + 4);
        }
        return softmax(left, right);
    }

private:
    typedef float Four __attribute__((vector_size(16)));  // g++ makes one machine instruction of each operation
    Weights w_;
    std::vector<Row> suits_;
    Row points_[2][kMostPoints + 1];

    static Four load(const float* from) {
        Four four;
        __builtin_memcpy(&four, from, sizeof four);
        return four;
    }

    static void add(Row& to, const Row& row) {
        for (int i = 0; i < kHidden; i += 4) {
            Four sum = load(&to[i]) + load(&row[i]);
            __builtin_memcpy(&to[i], &sum, sizeof sum);
        }
    }

    static void add(Row& to, const Row& row, float times) {
        for (int i = 0; i < kHidden; i++) to[i] += times * row[i];
    }

    Row read_suit(int kind, int state) const {
        Row row = {};
        for (int i = 0; i < kSuitNeurons; i++) {
            float sum = w_.suit_bias[kind][i];
            for (int rank = 0; rank < 6; rank++) sum += w_.suit[kind][rank][state >> 2 * rank & 3][i];
            if (sum > 0) add(row, w_.from_suit[kind][i], sum);
        }
        return row;
    }

    static Outcomes softmax(Four left, Four right) {
        Outcomes o;
        float scores[kOutcomes + 1], sum = 0;
        __builtin_memcpy(scores, &left, sizeof left);
        __builtin_memcpy(scores + 4, &right, sizeof right);
        float top = *std::max_element(scores, scores + kOutcomes);
        for (int k = 0; k < kOutcomes; k++) sum += o.chance[k] = std::exp(scores[k] - top);
        for (float& chance : o.chance) chance /= sum;
        return o;
    }
};
