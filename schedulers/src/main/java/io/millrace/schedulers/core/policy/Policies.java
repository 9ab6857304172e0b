package io.millrace.schedulers.core.policy;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The policies that can be chosen by name. */
public final class Policies {

  /** The policy of a scheduler object that names none. */
  public static final Policy STANDARD = new Priority();

  private static final List<Policy> NAMED =
      List.of(STANDARD, new Fifo(), new Easy(), new EasySjbf(), new Conservative());

  private Policies() {}

  /** Names in the order in which they are shown. */
  public static List<String> names() {
    return NAMED.stream().map(Policy::name).toList();
  }

  /** The policy of a name, ignoring case; {@code fcfs} is a synonym of fifo. */
  public static Optional<Policy> find(String name) {
    String word = name.strip().toLowerCase(Locale.ROOT);
    String known = word.equals("fcfs") ? "fifo" : word;
    return NAMED.stream().filter(it -> it.name().equals(known)).findFirst();
  }
}
