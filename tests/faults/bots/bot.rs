// The first legal action; with the argument "panic" it panics at its third turn.
use std::io::BufRead;

fn after<'a>(line: &'a str, key: &str) -> &'a str {
    let at = line.find(key).expect("a turn has it") + key.len();
    let rest = &line[at..];
    &rest[..rest.find(|c| c == '}' || (key.ends_with(':') && c == ',')).unwrap_or(rest.len())]
}

fn main() {
    let does = std::env::args().nth(1).unwrap_or_default();
    let mut turns = 0;
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if line.starts_with("{\"type\":\"hello\"") {
            println!("{{\"type\":\"ready\",\"name\":\"rust\"}}");
        } else if line.starts_with("{\"type\":\"deal\",") {
            turns = if line.contains("\"deal\":1,") { 0 } else { 100 };
        } else if line.starts_with("{\"type\":\"turn\"") {
            turns += 1;
            if turns == 3 && does == "panic" {
                panic!("no such card");
            }
            println!("{{\"id\":{},{}}}", after(&line, "\"id\":"), after(&line, "\"legal\":[{"));
        }
    }
}
