package io.weir.bench.load.chain;

import java.util.ArrayList;
import java.util.List;

/**
 * JSON text that is looked into without a tree, by cutting out members and elements. It believes that the text is well formed: a
 * node of the measurements is asked by proxies only. Immutable.
 */
public final class JsonText {

    private final String text;

    /** Looks into a text. */
    public JsonText(String text) {
        this.text = text.strip();
    }

    /** Whether it is an array. */
    public boolean isArray() {
        return text.startsWith("[");
    }

    /** The text between the quotes; the text itself where it has none. */
    public static String unquoted(String json) {
        return json.length() >= 2 && json.charAt(0) == '"' ? json.substring(1, json.length() - 1) : json;
    }

    /** The text of an object's member; empty where there is none. */
    public String member(String name) {
        int at = 1;
        while (at < text.length()) {
            int open = text.indexOf('"', at);
            if (open < 0) {
                return "";
            }
            int close = endOfString(open);
            int value = afterBlanks(text.indexOf(':', close) + 1);
            int end = endOfValue(value);
            if (text.regionMatches(open + 1, name, 0, name.length()) && close - open - 2 == name.length()) {
                return text.substring(value, end);
            }
            at = end + 1;
        }
        return "";
    }

    /** The texts of an array's elements. */
    public List<String> elements() {
        List<String> elements = new ArrayList<>();
        int at = afterBlanks(1);
        while (at < text.length() && text.charAt(at) != ']') {
            int end = endOfValue(at);
            elements.add(text.substring(at, end));
            at = afterBlanks(end);
            if (at < text.length() && text.charAt(at) == ',') {
                at = afterBlanks(at + 1);
            }
        }
        return elements;
    }

    private int afterBlanks(int at) {
        int next = at;
        while (next < text.length() && text.charAt(next) <= ' ') {
            next++;
        }
        return next;
    }

    private int endOfValue(int start) {
        int at = start;
        int depth = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"') {
                at = endOfString(at) - 1;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (depth == 0 && (c == ',' || c == '}' || c == ']' || c <= ' ')) {
                return at;
            } else if (c == '}' || c == ']') {
                depth--;
            }
            at++;
            if (depth == 0 && (c == '"' || c == '}' || c == ']')) {
                return at;
            }
        }
        return at;
    }

    /** Behind the closing quote. */
    private int endOfString(int open) {
        int at = open + 1;
        while (text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return at + 1;
    }
}
