// A Sixty-Six bot. Your idea goes into `choose`; the rest is the conversation with the referee (see protocol.md).

type Side = "you" | "opponent";
type Action =
  | { action: "play"; card: string }
  | { action: "marriage"; suit: string }
  | { action: "exchange" | "close" | "declare" | "draw" };

interface Turn {
  type: "turn";
  id: number;
  phase: "lead" | "follow" | "draw";
  hand: string[];
  trump: string;
  trump_card: string | null;
  stock: number;
  closed_by: Side | null;
  led: string | null;
  legal: Action[];
  move_ms: number | null;
  match_ms: number | null;
}
type Message = Turn | { type: "hello" } | { type: "bye" };

// As much of Node as is used here, so that no package with its types is needed.
declare const process: {
  stdin: AsyncIterable<string> & { setEncoding(name: "utf8"): void };
  stdout: { write(text: string): void };
};
declare const console: { error(...what: unknown[]): void };

const RANKS = "9JQKTA"; // rising, in strength and in points

/** One of the actions in turn.legal. This one plays the card that is worth least. */
function choose(turn: Turn): Action {
  let best = turn.legal[0];
  let lowest = RANKS.length;
  for (const action of turn.legal) {
    if (action.action === "play" && RANKS.indexOf(action.card[0]) < lowest) {
      best = action;
      lowest = RANKS.indexOf(action.card[0]);
    }
  }
  return best;
}

/** Writes one line. Standard output is for this only: use console.error to see what your bot does. */
function answer(message: object): void {
  process.stdout.write(JSON.stringify(message) + "\n");
}

/** Takes one line; false at the end. */
function hear(line: string): boolean {
  const message = JSON.parse(line) as Message;
  if (message.type === "hello") answer({ type: "ready" });
  else if (message.type === "turn") answer({ id: message.id, ...choose(message) });
  // match, deal, action, trick, draw, deal_end ...: remember here what you need; do not answer
  return message.type !== "bye";
}

/** What comes at a time may be several lines, or a piece of one. */
async function main(): Promise<void> {
  let rest = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    if (!lines.every(hear)) return;
  }
}

main();
export {};
