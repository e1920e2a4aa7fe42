// A small, tolerant JSON reader: enough for the protocol's messages, and it never fails. What is missing or of another
// kind than asked for reads as empty.
#pragma once
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

class Json {
public:
    enum Kind { kNull, kBool, kNumber, kText, kList, kObject };
    Kind kind = kNull;
    std::string text;  // of a text; a number or bool as written
    std::vector<Json> items;
    std::vector<std::pair<std::string, Json>> fields;

    const Json& operator[](const char* name) const {
        static const Json kMissing;
        for (const auto& field : fields)
            if (field.first == name) return field.second;
        return kMissing;
    }
    bool is_null() const { return kind == kNull; }
    bool is(const char* value) const { return kind == kText && text == value; }
    long long integer() const { return kind == kNumber ? std::atoll(text.c_str()) : 0; }

    static Json parse(const std::string& line) {
        const char* at = line.c_str();
        return value(at, 0);
    }

private:
    static constexpr int kDeepest = 100;

    static void skip(const char*& at) {
        while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') at++;
    }

    static Json value(const char*& at, int depth) {
        Json json;
        skip(at);
        if (depth > kDeepest) {
            while (*at) at++;
        } else if (*at == '"') {
            json.kind = kText;
            json.text = string(at);
        } else if (*at == '[' || *at == '{') {
            bool object = *at++ == '{';
            char end = object ? '}' : ']';
            json.kind = object ? kObject : kList;
            for (skip(at); *at && *at != end; skip(at)) {
                const char* before = at;
                std::string name;
                if (object) {
                    name = string(at);
                    skip(at);
                    if (*at == ':') at++;
                }
                Json item = value(at, depth + 1);
                if (object) json.fields.emplace_back(std::move(name), std::move(item));
                else json.items.push_back(std::move(item));
                skip(at);
                if (*at == ',') at++;
                if (at == before) at++;  // rubbish: step over it
            }
            if (*at) at++;
        } else {
            while (*at && !std::strchr(",]} \t\r\n", *at)) json.text += *at++;
            if (json.text == "true" || json.text == "false") json.kind = kBool;
            else if (!json.text.empty() && json.text != "null") json.kind = kNumber;
        }
        return json;
    }

    // Escapes keep their letter; nothing in the protocol that matters has any.
    static std::string string(const char*& at) {
        std::string text;
        if (*at != '"') return text;
        for (at++; *at && *at != '"'; at++) {
            if (*at == '\\' && at[1]) at++;
            text += *at;
        }
        if (*at) at++;
        return text;
    }
};
