/* tiny: plays the cheapest card it may, in C, with nothing but libc.
 *
 * No JSON parser: the bot looks for the few strings it needs. That is safe because the
 * strings it looks for cannot occur inside another value of a `turn`: the list `legal`
 * holds only actions, and nobody's free text is ever sent to a bot. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[65536 + 2]; /* the protocol's longest line */

/* The text after `"key":`, blanks skipped; NULL if the key is not there. */
static const char *value(const char *text, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    const char *at = strstr(text, quoted);
    if (!at)
        return NULL;
    at += strlen(quoted);
    return at + strspn(at, " :");
}

/* How much it costs to part with a card: its rank, and trumps after all others. */
static int cost(const char *card, char trump)
{
    return (int)(strchr("9JQKTA", card[0]) - "9JQKTA") + (card[1] == trump ? 6 : 0);
}

static void answer(const char *turn)
{
    const char *id = value(turn, "id"), *trump = value(turn, "trump"), *at = value(turn, "legal");
    const char *best = NULL;
    if (!id || !trump || !at)
        return;
    while ((at = value(at, "card")) != NULL) {
        const char *card = at + 1; /* past the opening quote */
        if (!strchr("9JQKTA", card[0]))
            continue;
        if (!best || cost(card, trump[1]) < cost(best, trump[1]))
            best = card;
    }
    if (best)
        printf("{\"id\":%ld,\"action\":\"play\",\"card\":\"%.2s\"}\n", strtol(id, NULL, 10), best);
}

int main(void)
{
    while (fgets(line, sizeof line, stdin)) {
        const char *type = value(line, "type");
        if (!type)
            continue;
        if (!strncmp(type, "\"hello\"", 7))
            puts("{\"type\":\"ready\",\"name\":\"tiny\",\"version\":\"1.0\",\"close_before_draw\":false}");
        else if (!strncmp(type, "\"turn\"", 6))
            answer(line);
        else if (!strncmp(type, "\"bye\"", 5))
            break;
        fflush(stdout); /* an answer left in a buffer is a time-out */
    }
    return 0;
}
