// scout: imagines the cards it cannot see, plays every imagined deal to its end by a simple
// rule, and chooses what did best on average (flat Monte Carlo).
//
// A card is a number, 6 * suit + rank, and a set of cards is one bit for each: the sets of
// a whole deal fit into 32 bits, and JavaScript is quick with those.

import { createInterface } from "node:readline";

const SAMPLES = 40; // imagined deals for each decision
const CLOSE_MARGIN = 0.2; // closing must look this much better than going on

const RANKS = "9JQKTA", SUITS = "CDHS", POINTS = [0, 2, 3, 4, 10, 11];
const QUEEN = 2, KING = 3, ACE = 5;
const ME = 0, OPPONENT = 1;

const cardOf = (text) => 6 * SUITS.indexOf(text[1]) + RANKS.indexOf(text[0]);
const textOf = (card) => RANKS[card % 6] + SUITS[(card / 6) | 0];
const suitOf = (card) => (card / 6) | 0;
const points = (card) => POINTS[card % 6];
const suitSet = (suit) => 0b111111 << (6 * suit);
const rankSet = (rank) => 0b000001_000001_000001_000001 << rank;
const highest = (set) => 31 - Math.clz32(set);
const lowest = (set) => highest(set & -set);
const setOf = (cards) => cards.reduce((set, card) => set | (1 << card), 0);

function cardsOf(set) {
  const cards = [];
  for (; set; set &= set - 1) cards.push(lowest(set));
  return cards;
}

/** Does `card`, played second, beat the card led? */
function wins(card, led, trump) {
  if (suitOf(card) === suitOf(led)) return card > led;
  return suitOf(card) === trump;
}

/** A small seeded generator (mulberry32): the same seed gives the same game. */
function generator(seed) {
  let state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return Math.floor((((x ^ (x >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

// ---- an imagined deal ------------------------------------------------------------------

/** A deal with all cards known. `stock` holds what is left to draw, the trump card last. */
class Table {
  constructor(memory, hands, stock, closedBy) {
    this.trump = memory.trump;
    this.hands = hands;
    this.stock = stock;
    this.closedBy = closedBy;
    this.failPrice = memory.failPrice;
    this.cardPoints = [...memory.cardPoints];
    this.bonus = [...memory.bonus];
    this.tricks = [...memory.tricks];
  }

  total(player) {
    return this.tricks[player] ? this.cardPoints[player] + this.bonus[player] : 0;
  }

  get strict() {
    return this.closedBy !== null || this.stock.length === 0;
  }

  close(player) {
    this.closedBy = player;
    this.failPrice = this.tricks[1 - player] ? 2 : 3;
  }

  /** What the loser pays, from the winner's side: positive if I have won. */
  price(winner) {
    const loser = 1 - winner;
    const price = !this.tricks[loser] ? 3 : this.total(loser) < 33 ? 2 : 1;
    return winner === ME ? price : -price;
  }

  failed(closer) {
    return closer === ME ? -this.failPrice : this.failPrice;
  }

  /** Both cards are on the table: who has the trick, and the draw. */
  trick(leader, led, answer) {
    const winner = wins(answer, led, this.trump) ? 1 - leader : leader;
    this.cardPoints[winner] += points(led) + points(answer);
    this.tricks[winner] += 1;
    this.hands[leader] &= ~(1 << led);
    this.hands[1 - leader] &= ~(1 << answer);
    if (!this.strict) {
      this.hands[winner] |= 1 << this.stock.shift();
      this.hands[1 - winner] |= 1 << this.stock.shift();
    }
    return winner;
  }

  /** Plays to the end by rule; the game points for me. */
  finish(leader) {
    while (this.hands[leader]) {
      if (this.total(leader) >= 66) return this.declared(leader);
      const led = this.ruleForLead(leader);
      if (this.total(leader) >= 66) return this.declared(leader); // a marriage was enough
      leader = this.trick(leader, led, this.ruleForAnswer(1 - leader, led));
    }
    if (this.closedBy !== null) {
      return this.total(this.closedBy) >= 66 ? this.price(this.closedBy) : this.failed(this.closedBy);
    }
    this.cardPoints[leader] += 10; // the last trick
    if (this.total(ME) === this.total(OPPONENT)) return 0;
    return this.price(this.total(ME) > this.total(OPPONENT) ? ME : OPPONENT);
  }

  declared(player) {
    return this.closedBy === 1 - player ? this.failed(1 - player) : this.price(player);
  }

  ruleForLead(player) {
    const trumps = suitSet(this.trump);
    if (this.strict) {
      const hand = this.hands[player], theirs = this.hands[1 - player];
      const aces = hand & rankSet(ACE) & ~trumps;
      if (hand & trumps && highest(hand & trumps) > highest(theirs & trumps)) return highest(hand & trumps);
      return aces ? lowest(aces) : cheapest(hand, trumps);
    }
    const nine = 6 * this.trump;
    if (this.tricks[player] && this.hands[player] & (1 << nine)) {
      this.hands[player] ^= (1 << nine) | (1 << this.stock.at(-1));
      this.stock[this.stock.length - 1] = nine;
    }
    const hand = this.hands[player];
    const queens = hand & rankSet(QUEEN) & ((hand & rankSet(KING)) >> 1);
    if (queens) {
      const queen = queens & trumps ? lowest(queens & trumps) : lowest(queens);
      this.bonus[player] += suitOf(queen) === this.trump ? 40 : 20;
      return queen;
    }
    return cheapest(hand, trumps);
  }

  ruleForAnswer(player, led) {
    const trumps = suitSet(this.trump);
    const hand = this.strict ? legalAnswers(this.hands[player], led, trumps) : this.hands[player];
    const higher = hand & suitSet(suitOf(led)) & (-2 << led);
    if (suitOf(led) === this.trump) {
      return higher && points(led) >= 3 ? lowest(higher) : cheapest(hand, trumps);
    }
    if (higher) return highest(higher);
    if (hand & trumps && (points(led) >= 10 || this.strict)) return lowest(hand & trumps);
    return cheapest(hand, trumps);
  }
}

/** Strict play: follow suit and beat, else follow suit, else trump, else anything. */
function legalAnswers(hand, led, trumps) {
  const suit = hand & suitSet(suitOf(led));
  return (suit & (-2 << led)) || suit || (hand & trumps) || hand;
}

/** The lowest card that is no trump, and only then the lowest trump. */
function cheapest(hand, trumps) {
  const plain = hand & ~trumps;
  if (!plain) return lowest(hand);
  for (let rank = 0; ; rank++) if (plain & rankSet(rank)) return lowest(plain & rankSet(rank));
}

// ---- memory ----------------------------------------------------------------------------

/** What I have seen of the current deal. */
class Memory {
  constructor(message) {
    this.trumpCard = cardOf(message.trump_card);
    this.trump = suitOf(this.trumpCard);
    this.played = 0;
    this.shown = 0; // cards that the opponent is known to hold
    this.cardPoints = [0, 0];
    this.bonus = [0, 0];
    this.tricks = [0, 0];
    this.failPrice = 2;
  }

  note(player, action) {
    if (action.action === "marriage") {
      const suit = SUITS.indexOf(action.suit);
      this.bonus[player] += suit === this.trump ? 40 : 20;
      if (player === OPPONENT) this.shown |= suitSet(suit) & (rankSet(KING) | rankSet(QUEEN));
    } else if (action.action === "exchange") {
      if (player === OPPONENT) this.shown |= 1 << this.trumpCard;
      this.trumpCard = 6 * this.trump;
    } else if (action.action === "close") {
      this.failPrice = this.tricks[1 - player] ? 2 : 3;
    }
  }

  trick(message) {
    const player = message.winner === "you" ? ME : OPPONENT;
    this.tricks[player] += 1;
    this.cardPoints[player] += message.card_points;
    this.played |= setOf(message.cards.map(cardOf));
    this.shown &= ~this.played;
  }
}

// ---- decisions -------------------------------------------------------------------------

/** One way in which the unseen cards may lie: the opponent's hand, and the stock in order. */
function imagine(memory, turn, random) {
  const mine = setOf(turn.hand.map(cardOf));
  const led = turn.led === null ? 0 : 1 << cardOf(turn.led);
  const trumpCard = turn.stock > 0 ? 1 << memory.trumpCard : 0;
  const unseen = cardsOf(0xffffff & ~(mine | memory.played | memory.shown | led | trumpCard));
  let theirs = (memory.shown & ~led) | led;
  for (let missing = turn.hand.length - cardsOf(theirs).length; missing > 0; missing--) {
    theirs |= 1 << take(unseen, random);
  }
  const stock = [];
  if (turn.stock > 0) {
    while (unseen.length) stock.push(take(unseen, random));
    stock.push(memory.trumpCard);
  }
  return { mine, theirs, stock };
}

function take(cards, random) {
  const at = random(cards.length);
  const card = cards[at];
  cards[at] = cards[cards.length - 1];
  cards.pop();
  return card;
}

/** What I may do, as plans: an action to answer with now, and the card I mean to play. */
function plansFor(memory, turn) {
  const cards = turn.legal.filter((a) => a.action === "play").map((a) => cardOf(a.card));
  const plans = cards.map((card) => ({ action: { action: "play", card: textOf(card) }, card, close: false }));
  const inHand = turn.hand.reduce((sum, card) => sum + points(cardOf(card)), 0);
  const hopeful = memory.cardPoints[ME] + memory.bonus[ME] + inHand >= 50;
  if (hopeful && turn.legal.some((a) => a.action === "close")) {
    for (const card of cards) plans.push({ action: { action: "close" }, card, close: true });
  }
  return plans;
}

function choose(memory, turn, random) {
  const find = (name) => turn.legal.filter((a) => a.action === name);
  const total = memory.tricks[ME] ? memory.cardPoints[ME] + memory.bonus[ME] : 0;
  if (total >= 66 && find("declare").length) return { action: "declare" };
  if (find("exchange").length) return { action: "exchange" };
  const marriages = find("marriage");
  if (marriages.length) return marriages.find((a) => a.suit === turn.trump) ?? marriages[0];
  if (turn.phase === "draw") return { action: "draw" };

  const plans = plansFor(memory, turn);
  if (plans.length === 1) return plans[0].action;
  const closedBy = { you: ME, opponent: OPPONENT }[turn.closed_by] ?? null;
  const sums = plans.map((plan) => (plan.close ? -CLOSE_MARGIN * SAMPLES : 0));
  for (let i = 0; i < SAMPLES; i++) {
    const { mine, theirs, stock } = imagine(memory, turn, random);
    plans.forEach((plan, k) => {
      const table = new Table(memory, [mine, theirs], [...stock], closedBy);
      if (plan.close) table.close(ME);
      const next =
        turn.led === null
          ? table.trick(ME, plan.card, table.ruleForAnswer(OPPONENT, plan.card))
          : table.trick(OPPONENT, cardOf(turn.led), plan.card);
      sums[k] += table.finish(next);
    });
  }
  return plans[sums.indexOf(Math.max(...sums))].action;
}

// ---- protocol --------------------------------------------------------------------------

/** One JSON object, one line; writing to a pipe needs no flush in node. */
function send(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

let memory = null;
let random = generator(0);
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    send({ type: "ready", name: "scout", version: "1.0", close_before_draw: false });
  } else if (message.type === "match") {
    random = generator(message.seed);
  } else if (message.type === "deal") {
    memory = new Memory(message);
  } else if (message.type === "action" && message.by === "opponent") {
    memory.note(OPPONENT, message);
  } else if (message.type === "trick") {
    memory.trick(message);
  } else if (message.type === "turn") {
    const action = choose(memory, message, random);
    memory.note(ME, action);
    send({ id: message.id, ...action });
  } else if (message.type === "bye") {
    lines.close();
    process.stdin.destroy();
  }
});
