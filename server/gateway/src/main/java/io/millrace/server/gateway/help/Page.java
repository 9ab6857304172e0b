package io.millrace.server.gateway.help;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The help page of a command.
 *
 * @param name the command
 * @param purpose what it does, in one line
 * @param syntax how it is called
 * @param options what each option does, in the order of the text
 * @param sections further headings with their paragraphs
 * @param see related commands
 */
public record Page(
    String name,
    String purpose,
    Syntax syntax,
    List<HelpEntry> options,
    List<Section> sections,
    List<String> see) {

  /**
   * @param option with its argument, for example {@code -N name}
   * @param text what it does
   */
  public record HelpEntry(String option, String text) {
    private String letter() {
      return option.split("[ \\[]", 2)[0];
    }
  }

  /** A heading and its paragraphs; one that begins with four blanks is shown as it stands. */
  public record Section(String heading, List<String> paragraphs) {}

  private static final String OPTION = "option ";
  private static final String PURPOSE = "purpose ";
  private static final String SEE = "see ";
  private static final String VERBATIM = "    ";

  /**
   * The page of a command from its text.
   *
   * @throws IllegalStateException when the text and the syntax name other options, with which
   */
  public static Page read(String name, Syntax syntax) {
    return parse(name, syntax, text(name));
  }

  /** The page of a command that can be repeated under the id of its call. */
  public Page repeatable() {
    List<HelpEntry> all = new ArrayList<>(options);
    all.add(
        new HelpEntry(
            "--command-id ID",
            "Stands first. Under the same id, which a command names that may still be carried out,"
                + " the same is done once. It is a UUID of version 7, made within the hour; answers"
                + " are remembered for a quarter of it."));
    return new Page(name, purpose, syntax, all, sections, see);
  }

  private static String text(String name) {
    try (InputStream in = Page.class.getResourceAsStream(name + ".txt")) {
      if (in == null) {
        throw new IllegalStateException("there is no text of " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The page of a command of another family. The text has lines that begin with "purpose", "option"
   * and "see", and headings that end with a colon; indented lines belong to what stands above them.
   *
   * @throws IllegalStateException when the text and the syntax name other options, with which
   */
  public static Page parse(String name, Syntax syntax, String text) {
    String purpose = "";
    List<String> see = List.of();
    List<HelpEntry> options = new ArrayList<>();
    List<Section> sections = new ArrayList<>();
    String heading = "";
    StringBuilder body = new StringBuilder();
    for (String line : (text + "\nend:\n").lines().toList()) {
      if (line.isEmpty() || line.startsWith(" ")) {
        body.append(line.isEmpty() ? "" : line.substring(2)).append('\n');
        continue;
      }
      if (heading.startsWith(OPTION)) {
        options.add(new HelpEntry(heading.substring(OPTION.length()), joined(body.toString())));
      } else if (!heading.isEmpty()) {
        sections.add(new Section(heading, paragraphs(body.toString())));
      }
      body.setLength(0);
      heading = "";
      if (line.startsWith(PURPOSE)) {
        purpose = line.substring(PURPOSE.length());
      } else if (line.startsWith(SEE)) {
        see = List.of(line.substring(SEE.length()).split(", "));
      } else if (line.startsWith(OPTION)) {
        heading = line;
      } else if (line.endsWith(":")) {
        heading = line.substring(0, line.length() - 1);
      } else {
        throw new IllegalStateException(name + ".txt: not understood: " + line);
      }
    }
    Page page = new Page(name, purpose, syntax, options, sections, see);
    page.check();
    return page;
  }

  private static String joined(String body) {
    return body.lines().map(String::strip).collect(Collectors.joining(" ")).strip();
  }

  private static List<String> paragraphs(String body) {
    List<String> paragraphs = new ArrayList<>();
    for (String part :
        body.strip().isEmpty() ? new String[0] : body.stripTrailing().split("\n\n")) {
      boolean verbatim = part.startsWith(VERBATIM);
      if (part.startsWith(" ") && !verbatim) {
        throw new IllegalStateException("six blanks stand before an example, and here: " + part);
      }
      paragraphs.add(verbatim ? part.stripTrailing() : joined(part));
    }
    return paragraphs;
  }

  private void check() {
    Set<String> taken = new TreeSet<>(words(syntax.words()));
    for (int i = 0; i < syntax.letters().length(); i++) {
      char letter = syntax.letters().charAt(i);
      if (letter != ':' && !syntax.refused().containsKey(letter)) {
        taken.add("-" + letter);
      }
    }
    Set<String> described =
        options.stream().map(HelpEntry::letter).collect(Collectors.toCollection(TreeSet::new));
    if (purpose.isEmpty() || !taken.equals(described)) {
      throw new IllegalStateException(
          name + " takes " + taken + ", its text describes " + described);
    }
  }

  private static List<String> words(List<String> words) {
    return words.stream().map(word -> word.split(" ")[0]).toList();
  }

  /** Options of PBS that are refused, with why, in alphabetical order. */
  List<Map.Entry<Character, String>> refused() {
    return syntax.refused().entrySet().stream().sorted(Map.Entry.comparingByKey()).toList();
  }
}
