package io.millrace.schemas.door;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/** Accounts and their numbers, as this host's own file and the kernel have them. */
public final class AccountNumbers {
  private static final String ACCOUNTS = "/etc/passwd";

  private AccountNumbers() {}

  /** The one that this process acts as. */
  public static int own() throws IOException {
    String[] uids = line("/proc/self/status", "Uid:").trim().split("\\s+");
    return Integer.parseUnsignedInt(uids[2]); // the real one stands before the effective one
  }

  /** The number of a name; one that is written as a number is that. Empty when nobody has it. */
  public static OptionalInt of(String account) throws IOException {
    String[] found = account.matches("[0-9]+") ? null : row(0, account);
    String number = found == null ? account : found[2];
    return number.matches("[0-9]{1,10}") && Long.parseLong(number) < 1L << 32
        ? OptionalInt.of(Integer.parseUnsignedInt(number))
        : OptionalInt.empty();
  }

  /** The account's name where this host's own file has it, else its number. */
  public static String name(int uid) {
    String number = Integer.toUnsignedString(uid);
    try {
      String[] found = row(2, number);
      return found == null ? number : found[0];
    } catch (IOException e) {
      return number; // a host without that file
    }
  }

  private static String[] row(int column, String value) throws IOException {
    try (BufferedReader in =
        new BufferedReader(new FileReader(ACCOUNTS, StandardCharsets.ISO_8859_1))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] field = line.split(":");
        if (field.length > 2 && field[column].equals(value)) {
          return field;
        }
      }
    }
    return null;
  }

  /** The first line of a file that begins so; empty when there is none. */
  static String line(String file, String begin) throws IOException {
    try (BufferedReader in =
        new BufferedReader(new FileReader(file, StandardCharsets.ISO_8859_1))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith(begin)) {
          return line;
        }
      }
    }
    return "";
  }
}
