// The opponent's plays so far, and how likely a hand makes them.
#pragma once
#include "network.h"

// One card of the opponent's, and what he knew when he played it.
struct Past {
    int card = kNone;
    bool answered = false;    // or led
    bool drew = false;        // after the trick
    int exchanged = kNone;    // the card he took for the nine before leading
    View his;                 // his view of the table, but for his hand
};

class History {
public:
    void clear() {
        size_ = 0;
        exchanged_ = kNone;
    }
    int size() const { return size_; }
    const Past& operator[](int i) const { return past_[i]; }

    void exchanged(int up) { exchanged_ = up; }

    // `mine` is my view just before he played; `led` the card he answered, if any.
    void played(const View& mine, int card, int led) {
        if (size_ == 12) return;
        Past& past = past_[size_++];
        past = Past();
        past.card = card;
        past.answered = led != kNone;
        past.exchanged = exchanged_;
        past.his = mine.flipped(0);
        past.his.led = led;
        if (led != kNone) past.his.gone |= bit(led);
        exchanged_ = kNone;
    }

    void drew() {
        if (size_) past_[size_ - 1].drew = true;
    }

private:
    Past past_[12];
    int size_ = 0, exchanged_ = kNone;
};
