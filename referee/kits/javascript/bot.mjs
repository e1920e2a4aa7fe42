// A Sixty-Six bot. Your idea goes into `choose`; the rest is the conversation with the referee (see protocol.md).

import { createInterface } from "node:readline";

const POINTS = { A: 11, T: 10, K: 4, Q: 3, J: 2, 9: 0 };
const worth = (action) => POINTS[action.card[0]];

/** One of the actions in turn.legal. This one plays the card that is worth least. */
function choose(turn) {
  const plays = turn.legal.filter((action) => action.action === "play");
  plays.sort((one, other) => worth(one) - worth(other));
  return plays[0] ?? turn.legal[0];
}

/** Writes one line. Standard output is for this only: use console.error to see what your bot does. */
function answer(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const message = JSON.parse(line);
  if (message.type === "hello") answer({ type: "ready" });
  else if (message.type === "turn") answer({ id: message.id, ...choose(message) });
  else if (message.type === "bye") break;
  // match, deal, action, trick, draw, deal_end ...: remember here what you need; do not answer
}
