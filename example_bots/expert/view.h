// What one player may know of a deal, and the hidden hands that agree with it.
#pragma once
#include "cards.h"

class History;

struct View {
    Mask hand = 0;
    Mask gone = 0;       // played, the card on the table included
    Mask shown = 0;      // cards that must be in the opponent's hand: taken by exchange, or shown by a marriage
    Mask mine_shown = 0; // mine that the opponent knows of
    Mask denied = 0;     // cards the opponent did not hold when last seen to have no use for them ...
    int denied_draws[24] = {};  // ... and how many cards he has drawn since
    Mask excluded = 0;   // cards that strict play has shown him not to hold
    int trump = 0;
    int up = kNone;      // the trump card under the stock
    int stock = 12;      // cards left to draw, the trump card included
    int closer = kNone;  // 0 is me, 1 the opponent
    bool trickless_at_close = false;  // the closer's opponent had no trick
    int led = kNone;     // the card to answer
    int points[2] = {0, 0};           // me, opponent; marriages included
    int tricks[2] = {0, 0};
    const History* history = nullptr;  // of the opponent's plays

    int counted(int who) const { return tricks[who] ? points[who] : 0; }  // R17
    bool strict() const { return stock == 0 || closer != kNone; }
    Mask unseen() const { return kAllCards & ~(hand | gone | (up == kNone ? 0 : bit(up))); }
    int their_count() const { return count(hand) - (led == kNone ? 0 : 1); }
    int failure() const { return trickless_at_close ? 3 : 2; }

    void take_trick(int winner, int first, int second) {
        Mask both = bit(first) | bit(second);
        gone |= both;
        hand &= ~both;
        shown &= ~both;
        mine_shown &= ~both;
        denied &= ~both;
        points[winner] += points_of(first) + points_of(second);
        tricks[winner]++;
        led = kNone;
    }

    void announce(int who, int suit) {
        points[who] += suit == trump ? 40 : 20;
        (who ? shown : mine_shown) |= marriage_cards(suit);
    }

    void close(int who) {
        closer = who;
        trickless_at_close = tricks[who ^ 1] == 0;
    }

    // The opponent was seen not to hold `card` (as far as he plays sensibly).
    void deny(int card) {
        denied |= bit(card);
        denied_draws[card] = 0;
    }

    // The opponent led `card`: with its partner he would have announced them, with the trump nine he would have
    // exchanged it.
    void opponent_led(int card, bool announced) {
        if (strict()) return;
        Mask pair = marriage_cards(suit_of(card));
        if ((pair & bit(card)) && !announced && tricks[1]) deny(lowest(pair & ~bit(card)));
        int nine = trump * 6 + kNine;
        if (tricks[1] && up != nine && card != nine) deny(nine);
    }

    // In strict play an answer says what he does not have.
    void opponent_answered(int card, int to) {
        if (!strict()) return;
        Mask suit = suit_mask(suit_of(to));
        if (suit_of(card) == suit_of(to)) {
            if (card < to) excluded |= suit & ~(bit(to) - 1);
        } else {
            excluded |= suit;
            if (suit_of(card) != trump) excluded |= suit_mask(trump);
        }
    }

    void opponent_drew() {
        for (Mask m = denied; m; m &= m - 1) denied_draws[lowest(m)]++;
    }

    // The same table from the opponent's chair, if he holds `their_hand`.
    View flipped(Mask their_hand) const {
        View v;
        v.hand = their_hand;
        v.gone = gone;
        v.shown = mine_shown;
        v.mine_shown = shown;
        v.trump = trump;
        v.up = up;
        v.stock = stock;
        v.closer = closer == kNone ? kNone : closer ^ 1;
        v.trickless_at_close = trickless_at_close;
        for (int who : {0, 1}) v.points[who] = points[who ^ 1], v.tricks[who] = tricks[who ^ 1];
        return v;
    }

    // A hand that the opponent may hold. Denied cards turn up as often as he can have drawn them since.
    Mask sample_hand(Random& random) const {
        Mask known = shown & unseen(), pool = unseen() & ~known & ~excluded;
        int need = their_count() - count(known);
        if (count(pool) <= need) return known | pool;
        for (int tries = 0;; tries++) {
            Mask hand = known | choose(pool, need, random);
            bool good = true;
            for (Mask m = hand & denied & pool; m && good && tries < 20; m &= m - 1)
                good = random.unit() * need < denied_draws[lowest(m)];
            if (good) return hand;
        }
    }
};
