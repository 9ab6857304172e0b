package io.millrace.server.gridengine.advance;

import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.command.Failure;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Of what about a reservation somebody is told by mail, and who: -m and -M of qrsub. Grid Engine's
 * letters are PBS's; without -m nobody is told anything.
 *
 * @param points empty when nothing is said of it
 * @param users empty for the owner
 */
record AdvanceMail(Optional<String> points, List<String> users) {

  /** Suspension, which Grid Engine has besides, befalls jobs only. */
  private static final Pattern POINTS = Pattern.compile("n|[abe](?:,?[abe]){0,9}");

  private static final String NAME = "[\\p{Graph}&&[^#@,]]{1,256}";
  private static final Pattern USER = Pattern.compile(NAME + "(?:@" + NAME + ")?");
  private static final int USERS_MAX = 500;

  static AdvanceMail of(AdvanceOptions options) throws Failure {
    Optional<String> points = options.value("-m");
    if (points.isPresent() && !POINTS.matcher(points.get()).matches()) {
      throw AdvanceOptions.invalid("-m " + points.get());
    }
    List<String> users = options.list("-M");
    boolean legal =
        users.size() <= USERS_MAX && users.stream().allMatch(it -> USER.matcher(it).matches());
    if (options.has("-M") && (users.isEmpty() || !legal)) {
      throw AdvanceOptions.invalid("-M " + options.value("-M").orElse(""));
    }
    return new AdvanceMail(points.map(it -> it.replace(",", "")), users);
  }

  /** Writes it into what is asked for. */
  void into(ReservationSpec spec) {
    points.ifPresent(spec::setMailPoints);
    if (!users.isEmpty()) {
      spec.setMailUsers(users);
    }
  }
}
