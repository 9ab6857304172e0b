package io.millrace.server.gateway.reservation;

import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.operand.Destinations;
import io.millrace.server.gateway.operand.PosixDate;
import io.millrace.server.gateway.operand.ShellWords;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What values of the options of pbs_rsub and pbs_ralter may be. */
final class ReservationSyntax {

  static final String RSUB =
      """
      usage: pbs_rsub [-I seconds] [-m mail_points] [-M mail_list]
                      [-N reservation_name] [-u user_list] [-g group_list]
                      [-U auth_user_list] [-G auth_group_list] [-H auth_host_list]
                      [-R start_time] [-E end_time] [-D duration] [-q destination]
                      [-r rrule_expression] [-W otherattributes=value...]
                      -l resource_list | --hosts host1 [... hostn]
             pbs_rsub --version
      """;

  static final String RALTER =
      """
      usage: pbs_ralter [-I seconds] [-m mail_points] [-M mail_list]
                      [-N reservation_name] [-R start_time] [-E end_time]
                      [-U (+/-)username[,(+/-)username]...]
                      [-G [(+/-)group[,(+/-)group]...]]
                      [-D duration]
                      [-W force]
                      resv_id
             pbs_ralter --version
      """;

  private static final int NAME_MAX = 230;
  private static final Pattern NAME = Pattern.compile("[-A-Za-z0-9_+.]+");

  /** Most names in a list, and most characters of it; the record of a reservation is not small. */
  private static final int NAMES_MAX = 500;

  private static final int LIST_MAX = 8192;
  private static final Pattern LISTED =
      Pattern.compile("[+-]?[\\p{Graph}&&[^#@,]]{1,256}(@[\\p{Graph}&&[^#@]]{1,255})?");
  private static final Pattern MAIL_POINTS = Pattern.compile("n|[abce]{1,4}");
  private static final Pattern NUMBER =
      Pattern.compile("\\s*[+-]?(0[xX][0-9a-fA-F]{1,8}|\\d{1,10})");

  private ReservationSyntax() {}

  /** A time, milliseconds since 1970. */
  static Optional<Long> time(Call call, String text) {
    return PosixDate.parse(text, ZonedDateTime.now(call.clock()));
  }

  /** Seconds as strtol(3) reads them; nothing for what is no number. */
  static Optional<Long> seconds(String text) {
    if (text.isEmpty()) {
      return Optional.of(0L);
    }
    if (!NUMBER.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.decode(text.strip()));
    } catch (NumberFormatException e) {
      return Optional.empty(); // 09 is no octal number
    }
  }

  static boolean isName(String name) {
    return NAME.matcher(name).matches() && name.length() <= NAME_MAX;
  }

  /**
   * Checks a name.
   *
   * @throws Failure as PBS words it
   */
  static void checkName(Call call, String name, String usage) throws Failure {
    if (!NAME.matcher(name).matches()) {
      throw illegal(call, 'N', usage);
    }
    if (name.length() > NAME_MAX) {
      throw call.failure("Reservation name is too long ", 2);
    }
  }

  static void checkMailPoints(Call call, String points, String usage) throws Failure {
    if (!MAIL_POINTS.matcher(points.strip()).matches()) {
      throw illegal(call, 'm', usage);
    }
  }

  /**
   * The names of a list {@code name[@host],...}.
   *
   * @throws Failure when one of them is none, or the list is too long
   */
  static List<String> list(Call call, char letter, String text, String usage) throws Failure {
    List<String> names = ShellWords.splitList(text).stream().map(String::strip).toList();
    boolean legal =
        text.length() <= LIST_MAX
            && names.size() <= NAMES_MAX
            && names.stream().allMatch(it -> LISTED.matcher(it).matches());
    if (!legal) {
      throw illegal(call, letter, usage);
    }
    return names;
  }

  /** Whether the value of -q names a server; {@code @} alone is this one. */
  static boolean isServer(String value) {
    return value.startsWith("@") && (value.equals("@") || Destinations.legal(value));
  }

  /**
   * Refuses the value of -q when it is for another server.
   *
   * @param server null without -q
   */
  static void refuseOther(Call call, String server) throws Failure {
    if (server != null && !server.equals("@")) {
      Destinations.queue(call, server);
    }
  }

  static Failure illegal(Call call, char letter, String usage) {
    return call.usage(call.name() + ": illegal -" + letter + " value\n" + usage);
  }
}
