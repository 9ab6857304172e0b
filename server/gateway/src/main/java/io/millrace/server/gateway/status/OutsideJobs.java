package io.millrace.server.gateway.status;

import io.millrace.schemas.Topics;
import io.millrace.schemas.output.ObservedJob;
import io.millrace.schemas.pbs.attributes.AccessList;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Roles;
import io.millrace.server.gateway.link.OutsidePicture;
import io.millrace.server.gateway.print.JobTables;
import io.millrace.server.gateway.print.Times;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Pattern;

/** The jobs of an outside cluster that is observed, as {@code qstat @CLUSTER} shows them. */
final class OutsideJobs {

  /** After so many signs of life that did not come, who observes it is taken for gone. */
  private static final int SIGNS = 3;

  /** Letters of options that the table of an outside cluster obeys. */
  private static final String OBEYED = "xuw";

  /** Words of others end on terminals. */
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private static final String QUEUES_HEAD =
      "Queue                             Cluster\n"
          + "--------------------------------  ---------------\n";

  private OutsideJobs() {}

  /** Prints them; a picture that is not a present one says so. */
  static void print(Call call, QstatOptions options, OutsidePicture picture) throws Failure {
    for (char letter : QstatOptions.LETTERS.replace(":", "").toCharArray()) {
      if (options.has(letter) && OBEYED.indexOf(letter) < 0) {
        String cluster = picture.cluster().getCluster();
        throw call.refused("-" + letter, "of cluster " + cluster + " there is the table only");
      }
    }
    StringBuilder out = new StringBuilder();
    boolean all = Roles.seesAll(call.wholeSite(), call::role);
    for (ObservedJob job : picture.jobs()) {
      boolean over = job.getState().equals("F");
      boolean shown = all || job.getAccount().equals(call.invocation().user());
      if (shown && wanted(options, job) && (!over || options.history())) {
        out.append(out.isEmpty() ? JobTables.head(options.has('w'), false) : "");
        out.append(row(job, options.has('w')));
      }
    }
    if (!out.isEmpty()) {
      call.out(out.toString());
    }
    String stale = stale(picture, call.site().clock().millis());
    if (!stale.isEmpty()) {
      call.complain(stale);
    }
  }

  /** Prints the names of its queues, of which no more is known. */
  static void queues(Call call, QstatOptions options, OutsidePicture picture) throws Failure {
    String cluster = picture.cluster().getCluster();
    if (options.subject() != QstatOptions.Subject.QUEUES
        || options.format() != QstatOptions.QstatFormat.TABLE) {
      String option = options.subject() == QstatOptions.Subject.QUEUES ? "-f" : "-q";
      throw call.refused(option, "of cluster " + cluster + " there are the names of queues only");
    }
    StringBuilder out = new StringBuilder();
    for (String queue : picture.cluster().getQueues()) {
      out.append(out.isEmpty() ? QUEUES_HEAD : "");
      out.append(
          String.format(
              Locale.ROOT, "%-32s  %s\n", CONTROL.matcher(queue).replaceAll("?"), cluster));
    }
    if (!out.isEmpty()) {
      call.out(out.toString());
    }
    String stale = stale(picture, call.site().clock().millis());
    if (!stale.isEmpty()) {
      call.complain(stale);
    }
  }

  private static boolean wanted(QstatOptions options, ObservedJob job) {
    return options
        .users()
        .map(it -> AccessList.allowsUser(it, job.getAccount(), job.getCluster()))
        .orElse(true);
  }

  /** Why the picture may not be what is there now; empty when it is. */
  private static String stale(OutsidePicture picture, long nowMs) {
    String trouble = picture.cluster().getTrouble();
    long heardMs = picture.cluster().getHeardMs();
    boolean silent = nowMs - heardMs > SIGNS * Topics.OBSERVED_S * 1000L;
    if (trouble.isEmpty() && !silent) {
      return "";
    }
    String since =
        DateTimeFormatter.ISO_INSTANT
            .withZone(ZoneOffset.UTC)
            .format(Instant.ofEpochMilli(heardMs).truncatedTo(ChronoUnit.SECONDS));
    return "cluster "
        + picture.cluster().getCluster()
        + " was last heard of at "
        + since
        + ": "
        + (trouble.isEmpty() ? "nobody observes it" : trouble);
  }

  private static String row(ObservedJob job, boolean wide) {
    return JobTables.row(
        new String[] {
          job.getId() + "." + job.getCluster(),
          job.getName(),
          job.getAccount(),
          job.getCputMs() < 1000 ? "0" : Times.duration(job.getCputMs() / 1000),
          job.getState(),
          job.getPlace().isEmpty() ? "@" + job.getCluster() : job.getPlace()
        },
        wide);
  }
}
