package io.millrace.server.gridengine;

import io.millrace.server.gateway.help.Page;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gridengine.cell.UsageTexts;
import io.millrace.server.gridengine.submit.Alteration;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What Grid Engine's commands tell of themselves, for {@code --help} and for man(1). */
public final class Pages {

  private static final Pattern OPTION = Pattern.compile("\\[(-[\\w@]+)");
  private static final Map<String, Page> ALL = new TreeMap<>();

  static {
    add("qsub", UsageTexts.QSUB, options(UsageTexts.QSUB));
    add("qalter", UsageTexts.QALTER, Stream.concat(Alteration.options(), Stream.of("-@", "-help")));
    add("qstat", UsageTexts.QSTAT, options(UsageTexts.QSTAT));
    add("qdel", UsageTexts.QDEL, Stream.concat(options(UsageTexts.QDEL), Stream.of("-t")));
    add("qmod", UsageTexts.QMOD, Stream.concat(options(UsageTexts.QMOD), Stream.of("-t")));
    add("qacct", UsageTexts.QACCT, options(UsageTexts.QACCT));
    add("qrsub", UsageTexts.QRSUB, options(UsageTexts.QRSUB));
    add("qrstat", UsageTexts.QRSTAT, options(UsageTexts.QRSTAT));
    add("qrdel", UsageTexts.QRDEL, options(UsageTexts.QRDEL));
    for (String name : new String[] {"qhold", "qrls"}) {
      add(name, String.format(UsageTexts.QHOLD, name), Stream.of("-h", "-help", "-t"));
    }
  }

  private Pages() {}

  /** In the order of their names. */
  public static Collection<Page> all() {
    return Collections.unmodifiableCollection(ALL.values());
  }

  /** By the names that the gateway knows the commands by. */
  static Map<String, Page> byCommand() {
    Map<String, Page> pages = new TreeMap<>();
    ALL.forEach((name, page) -> pages.put("sge/" + name, page));
    return pages;
  }

  private static void add(String name, String usage, Stream<String> options) {
    String[] words = new TreeSet<>(options.toList()).toArray(new String[0]);
    String lines = usage.replaceFirst("(?s)^.*?(?=usage: )", "");
    ALL.put(name, Page.parse(name, Syntax.of("", lines).with(words), text(name)));
  }

  private static Stream<String> options(String usage) {
    return OPTION.matcher(usage).results().map((MatchResult found) -> found.group(1));
  }

  private static String text(String name) {
    try (InputStream in = Pages.class.getResourceAsStream(name + ".txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
