// A Sixty-Six bot. Your idea goes into choose; the rest is the conversation with the referee (see protocol.md).
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
)

// Action is what you may do. As an answer it has the id of the turn.
type Action struct {
	ID     int    `json:"id"`
	Action string `json:"action"`
	Card   string `json:"card,omitempty"`
	Suit   string `json:"suit,omitempty"`
}

// Message is any line from the referee; only the fields of its type are set.
type Message struct {
	Type      string
	ID        int
	Phase     string
	Hand      []string
	Trump     string
	TrumpCard string `json:"trump_card"`
	Stock     int
	ClosedBy  string `json:"closed_by"` // "" while nobody has
	Led       string // "" if you lead
	Legal     []Action
}

var points = map[byte]int{'A': 11, 'T': 10, 'K': 4, 'Q': 3, 'J': 2, '9': 0}

// choose returns one of turn.Legal. This one plays the card that is worth least.
func choose(turn Message) Action {
	best, lowest := turn.Legal[0], 99
	for _, action := range turn.Legal {
		if action.Action == "play" && points[action.Card[0]] < lowest {
			best, lowest = action, points[action.Card[0]]
		}
	}
	return best
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout) // one line each, not buffered; use log.Println to see what your bot does
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var message Message
		if err := json.Unmarshal(line, &message); err != nil {
			log.Fatal(err)
		}
		switch message.Type {
		case "hello":
			out.Encode(map[string]string{"type": "ready"})
		case "turn":
			answer := choose(message)
			answer.ID = message.ID
			out.Encode(answer)
		case "bye":
			return
		default: // match, deal, action, trick, draw, deal_end ...: remember here what you need; do not answer
		}
	}
}
