package io.millrace.schemas.pbs.attributes;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Access lists of users, groups or hosts in PBS's form: words separated by commas, each preceded by
 * + (allow, the default) or - (refuse). A user is {@code name}, {@code name@host}, {@code
 * name@*.domain} or {@code name@*}; a host is a name, {@code *.domain} or {@code *}; + or - alone
 * stands for all others.
 *
 * <p>Of the matching entries, the one with the most specific host decides, wherever it stands; of
 * equally specific ones, the refusal. Whoever matches no entry is refused.
 */
public enum AccessList {
  USERS("[^\\s,@*+-][^\\s,@*]*(@" + AccessList.HOST + ")?"),
  GROUPS("[^\\s,@*+-][^\\s,@*]*"),
  HOSTS(AccessList.HOST);

  private static final String HOST = "(\\*|(\\*\\.)?[A-Za-z0-9_][A-Za-z0-9_.-]*)";
  private static final int NO_MATCH = Integer.MIN_VALUE;
  private static final int ALL_OTHERS = -1;
  private static final int NAMED = Integer.MAX_VALUE;

  private final Pattern form;

  AccessList(String form) {
    this.form = Pattern.compile(form);
  }

  /**
   * The kind of access list that an attribute of server or queue holds; null when it holds none.
   */
  public static AccessList of(String attribute) {
    return switch (attribute) {
      case "managers", "operators", "acl_users", "acl_roots", "acl_resv_users" -> USERS;
      case "acl_groups", "acl_resv_groups" -> GROUPS;
      case "acl_hosts", "acl_resv_hosts" -> HOSTS;
      default -> null;
    };
  }

  /** Whether each word of the list has a valid form. */
  public boolean valid(String list) {
    return words(list).stream().allMatch(it -> unsigned(it).isEmpty() || matches(unsigned(it)));
  }

  private boolean matches(String word) {
    return form.matcher(word).matches();
  }

  /** Whether the list admits a user of a host. */
  public static boolean allowsUser(String list, String user, String host) {
    return decide(list, entry -> user(entry, user, host));
  }

  /** Whether the list admits a host. */
  public static boolean allowsHost(String list, String host) {
    return decide(list, entry -> host(entry, host));
  }

  /** Whether the list admits a user who is in these groups. */
  public static boolean allowsGroup(String list, Collection<String> groups) {
    return decide(list, entry -> groups.contains(entry) ? NAMED : NO_MATCH);
  }

  /** How specifically an entry matches the one who asks. */
  private interface EntryMatch {
    int of(String entry);
  }

  private static boolean decide(String list, EntryMatch match) {
    int best = NO_MATCH;
    boolean allowed = false;
    for (String word : words(list)) {
      String entry = unsigned(word);
      int says = entry.isEmpty() ? ALL_OTHERS : match.of(entry);
      boolean refusal = word.charAt(0) == '-';
      if (says > best || (says == best && says != NO_MATCH && refusal)) {
        best = says;
        allowed = !refusal;
      }
    }
    return allowed;
  }

  private static int user(String entry, String user, String host) {
    int at = entry.indexOf('@');
    if (!user.equals(at < 0 ? entry : entry.substring(0, at))) {
      return NO_MATCH;
    }
    return at < 0 ? 0 : host(entry.substring(at + 1), host);
  }

  private static int host(String entry, String host) {
    String pattern = entry.toLowerCase(Locale.ROOT);
    String name = host.toLowerCase(Locale.ROOT);
    if (pattern.equals(name)) {
      return NAMED;
    }
    boolean wild = pattern.startsWith("*") && name.endsWith(pattern.substring(1));
    return wild ? pattern.length() - 1 : NO_MATCH;
  }

  private static String unsigned(String word) {
    return "+-".indexOf(word.charAt(0)) >= 0 ? word.substring(1).strip() : word;
  }

  private static List<String> words(String list) {
    return Pattern.compile(",")
        .splitAsStream(list)
        .map(String::strip)
        .filter(w -> !w.isEmpty())
        .toList();
  }
}
