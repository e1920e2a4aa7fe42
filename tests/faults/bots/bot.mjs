// The first legal action. argv[2]: "honest" or "throw", which it does at its third turn.
import { createInterface } from 'node:readline'

let turns = 0
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line)
  if (message.type === 'hello') console.log('{"type":"ready","name":"node"}')
  if (message.type === 'deal') turns = message.deal === 1 ? 0 : 100
  if (message.type !== 'turn') continue
  if (++turns === 3 && process.argv[2] === 'throw') throw new Error('no such card')
  console.log(JSON.stringify({ id: message.id, ...message.legal[0] }))
}
