// A Sixty-Six bot. Your idea goes into choose; the rest is the conversation with the referee (see protocol.md).
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
)

// Turn is what you know when it is your turn.
type Turn struct {
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

// Action is what you may do; as an answer it has the id of the turn.
type Action struct {
	ID     int    `json:"id"`
	Action string `json:"action"`
	Card   string `json:"card,omitempty"`
	Suit   string `json:"suit,omitempty"`
}

var points = map[byte]int{'A': 11, 'T': 10, 'K': 4, 'Q': 3, 'J': 2, '9': 0}

// choose returns one of turn.Legal. This one plays the card that is worth least.
func choose(turn Turn) Action {
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
		var message struct{ Type string }
		check(json.Unmarshal(line, &message))
		switch message.Type {
		case "hello":
			check(out.Encode(map[string]string{"type": "ready"}))
		case "turn":
			var turn Turn
			check(json.Unmarshal(line, &turn))
			answer := choose(turn)
			answer.ID = turn.ID
			check(out.Encode(answer))
		case "bye":
			return
		default: // match, deal, action, trick, draw, deal_end ...: remember here what you need; do not answer
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
