import java.io.BufferedReader;
import java.io.InputStreamReader;

/** The first legal action; with the argument "throw" an exception at its third turn. */
public class Bot {
    public static void main(String[] arguments) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in));
        int turns = 0;
        for (String line; (line = in.readLine()) != null;) {
            if (line.startsWith("{\"type\":\"hello\"")) {
                System.out.println("{\"type\":\"ready\",\"name\":\"java\"}");
            } else if (line.startsWith("{\"type\":\"deal\",")) {
                turns = line.contains("\"deal\":1,") ? 0 : 100;
            } else if (line.startsWith("{\"type\":\"turn\"")) {
                if (++turns == 3 && arguments[0].equals("throw")) {
                    throw new IllegalStateException("no such card");
                }
                String id = line.split("\"id\":")[1].split("[,}]")[0];
                String first = line.split("\"legal\":\\[\\{")[1].split("}")[0];
                System.out.println("{\"id\":" + id + "," + first + "}");
            }
        }
    }
}
