/* The first legal action. argv[1]: "honest", "noflush" (leaves its answers in stdio's buffer) or "segv". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    static char line[65538];
    const char *does = argc > 1 ? argv[1] : "honest";
    int turns = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "{\"type\":\"hello\"", 15)) {
            puts("{\"type\":\"ready\",\"name\":\"c\"}");
            fflush(stdout);
        } else if (!strncmp(line, "{\"type\":\"deal\",", 15))
            turns = strstr(line, "\"deal\":1,") ? 0 : 100;
        else if (!strncmp(line, "{\"type\":\"turn\"", 14)) {
            char *id = strstr(line, "\"id\":"), *first = strstr(line, "\"legal\":[{");
            if (++turns == 3 && !strcmp(does, "segv"))
                *(volatile int *)0 = 1;
            first += strlen("\"legal\":[{");
            printf("{\"id\":%ld,%.*s}\n", strtol(id + 5, NULL, 10), (int)strcspn(first, "}"), first);
            if (turns != 3 || strcmp(does, "noflush"))
                fflush(stdout);
        }
    }
    return 0;
}
