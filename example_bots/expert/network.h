// The evaluation: a small network that looks at an open deal between two tricks, before anybody draws, through the
// eyes of one player, and gives the chances of every outcome (lose 3, 2, 1, nothing, win 1, 2, 3).
//
// Each suit is read by the same few neurons (the trump suit by its own), and the three plain suits are added up, so
// the order of the suits cannot matter.
#pragma once
#include <cmath>

#include "view.h"

constexpr int kOutcomes = 7;   // game points -3 .. 3
constexpr int kSuitNeurons = 24;
constexpr int kScalars = 31;
constexpr int kInputs = 2 * kSuitNeurons + kScalars;
constexpr int kHidden = 48;

struct Weights {
    float suit[2][6][4][kSuitNeurons];  // plain or trump; rank; gone, mine, shown to be theirs, unseen
    float suit_bias[2][kSuitNeurons];
    float hidden[kInputs][kHidden];
    float hidden_bias[kHidden];
    float out[kHidden][kOutcomes + 1];  // one column of padding
    float out_bias[kOutcomes + 1];
};

struct Outcomes {
    float chance[kOutcomes] = {};
};

// What the network computes on its way; training needs it.
struct Activations {
    uint8_t status[4][6];  // by suit: the trump suit last
    float suit[4][kSuitNeurons];
    float input[kInputs];
    float hidden[kHidden];
    float out[kOutcomes + 1];
};

inline void read_suits(const View& v, Activations& a) {
    Mask unseen = v.unseen();
    int row = 0;
    for (int suit = 0; suit < 4; suit++) {
        uint8_t* status = a.status[suit == v.trump ? 3 : row++];
        for (int rank = 0; rank < 6; rank++) {
            Mask card = bit(suit * 6 + rank);
            status[rank] = v.hand & card ? 1 : unseen & v.shown & card ? 2 : unseen & card ? 3 : 0;
        }
    }
}

inline void read_scalars(const View& v, bool leader, float* x) {
    for (int i = 0; i < kScalars; i++) x[i] = 0;
    x[0] = leader;
    x[1 + (12 - v.stock) / 2] = 1;
    x[7 + rank_of(v.up)] = 1;
    for (int who : {0, 1}) {
        x[13 + who] = v.tricks[who] > 0;
        for (int i = 0; i < 7; i++) x[15 + 7 * who + i] = std::min(1.0f, std::max(0.0f, v.points[who] / 10.0f - i));
        x[29 + who] = v.points[who] >= 33;
    }
}

inline Outcomes evaluate(const Weights& w, const View& v, bool leader, Activations& a) {
    read_suits(v, a);
    for (int i = 0; i < 2 * kSuitNeurons; i++) a.input[i] = 0;
    for (int suit = 0; suit < 4; suit++) {
        int kind = suit == 3;
        float* sum = a.suit[suit];
        for (int i = 0; i < kSuitNeurons; i++) sum[i] = w.suit_bias[kind][i];
        for (int rank = 0; rank < 6; rank++) {
            const float* row = w.suit[kind][rank][a.status[suit][rank]];
            for (int i = 0; i < kSuitNeurons; i++) sum[i] += row[i];
        }
        float* pool = a.input + kind * kSuitNeurons;
        for (int i = 0; i < kSuitNeurons; i++) pool[i] += sum[i] > 0 ? sum[i] : 0;
    }
    read_scalars(v, leader, a.input + 2 * kSuitNeurons);
    for (int i = 0; i < kHidden; i++) a.hidden[i] = w.hidden_bias[i];
    for (int j = 0; j < kInputs; j++) {
        float x = a.input[j];
        if (x == 0) continue;
        for (int i = 0; i < kHidden; i++) a.hidden[i] += x * w.hidden[j][i];
    }
    for (int k = 0; k <= kOutcomes; k++) a.out[k] = w.out_bias[k];
    for (int i = 0; i < kHidden; i++) {
        a.hidden[i] = a.hidden[i] > 0 ? a.hidden[i] : 0;
        for (int k = 0; k <= kOutcomes; k++) a.out[k] += a.hidden[i] * w.out[i][k];
    }
    Outcomes result;
    float top = a.out[0], sum = 0;
    for (int k = 1; k < kOutcomes; k++) top = std::max(top, a.out[k]);
    for (int k = 0; k < kOutcomes; k++) sum += result.chance[k] = std::exp(a.out[k] - top);
    for (float& chance : result.chance) chance /= sum;
    return result;
}
