import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "first", "version": "1.0"}), flush=True)
    if message["type"] == "turn":
        print(json.dumps({"id": message["id"], **message["legal"][0]}), flush=True)
