package io.millrace.server.campaigns.jdl;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** What readers of values share. */
final class Tokens {

  private static final int SHOWN_MAX = 40;

  private Tokens() {}

  /** Reads one item. */
  interface Item {
    void read() throws IOException, WrongValue;
  }

  /** Reads an array of 1 to so many items. */
  static void each(JsonParser in, int most, Item item) throws IOException, WrongValue {
    if (!in.hasToken(JsonToken.START_ARRAY)) {
      throw new WrongValue("is " + words(in) + ", not a list");
    }
    int count = 0;
    while (in.nextToken() != JsonToken.END_ARRAY) {
      if (++count > most) {
        throw new WrongValue("is one more than the " + most + " that a list may have");
      }
      item.read();
    }
    if (count == 0) {
      throw new WrongValue("has nothing in it");
    }
  }

  /** What kind of value the parser stands on. */
  static String words(JsonParser in) {
    return switch (in.currentToken()) {
      case START_OBJECT, END_OBJECT -> "an object";
      case START_ARRAY, END_ARRAY -> "a list";
      case VALUE_STRING -> "text";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_TRUE, VALUE_FALSE -> "true or false";
      default -> "null";
    };
  }

  /** Text of a user in a message: short, and without what moves a terminal. */
  static String cut(String text) {
    String safe = text.replaceAll("\\p{Cc}", "?");
    return safe.length() <= SHOWN_MAX ? safe : safe.substring(0, SHOWN_MAX) + "...";
  }

  /** A parser's message without what it tells beyond the first line. */
  static String firstLine(String message) {
    return message.lines().findFirst().orElse("").replaceAll("\\p{Cc}", "?");
  }

  /** A name as a part of a JSON Pointer. */
  static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
