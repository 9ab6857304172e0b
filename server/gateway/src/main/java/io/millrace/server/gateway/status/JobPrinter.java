package io.millrace.server.gateway.status;

import io.millrace.schemas.common.Role;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Version;
import io.millrace.server.gateway.print.AlternateTable;
import io.millrace.server.gateway.print.JobAttributeText;
import io.millrace.server.gateway.print.JobProgress;
import io.millrace.server.gateway.print.JobTables;
import io.millrace.server.gateway.print.Json;
import io.millrace.server.gateway.print.Listing;
import io.millrace.server.gateway.print.ShownAttribute;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.QueryException;
import java.util.List;
import java.util.OptionalLong;

/** Prints the jobs of one qstat, one after the other, in the form that its options ask for. */
final class JobPrinter {

  private static final int OUTPUT_CHARS = 32 << 10;

  /** From so many jobs on, output is shown while the rest is still being read. */
  private static final int STREAM_FROM = 2_000;

  private final Call call;
  private final QstatOptions options;
  private final JobAttributeText text;
  private final JobComments comments;
  private final StringBuilder out = new StringBuilder();
  private final Json json = new Json(out);
  private final long nowMs;
  private final AlternateTable alternate;
  private int printed;

  JobPrinter(Call call, QstatOptions options) {
    this.call = call;
    this.options = options;
    Times times = new Times(call.zone());
    Times ofServer = new Times(call.site().clock().getZone());
    this.text = new JobAttributeText(times, ofServer, call.site().server());
    this.comments = new JobComments(call.site(), text, call.role() == Role.MANAGER);
    this.nowMs = call.site().clock().millis();
    this.alternate =
        new AlternateTable(
            new AlternateTable.AlternateForm(
                options.has('w'), options.has('T'), options.has('1'), options.sizes()),
            times,
            nowMs);
  }

  void print(Job job) throws QueryException, InterruptedException {
    begin();
    switch (options.format()) {
      case TABLE -> out.append(row(job));
      case ALTERNATE -> out.append(entry(job));
      case WRAPPED -> {
        out.append("Job Id: ").append(job.getId()).append('\n');
        Listing.wrapped(out, attributes(job));
        out.append('\n');
      }
      case WIDE -> {
        out.append("Job Id: ").append(job.getId()).append('\n');
        Listing.wide(out, "    ", attributes(job));
        out.append('\n');
      }
      case DSV ->
          Listing.separated(out, "Job Id: " + job.getId(), options.delimiter(), attributes(job));
      case JSON -> json.object(job.getId(), attributes(job));
    }
    pass();
  }

  /** Prints what {@link #entry} made earlier. */
  void print(String entry) {
    begin();
    out.append(entry);
    pass();
  }

  private void begin() {
    if (printed++ == 0) {
      head();
    }
  }

  private void pass() {
    if (printed == STREAM_FROM) {
      call.invocation().streaming();
    }
    if (out.length() >= OUTPUT_CHARS) {
      flush();
    }
  }

  void end() {
    if (options.format() == QstatOptions.QstatFormat.JSON) {
      if (printed == 0) {
        json.head(nowMs / 1000, Version.text(), call.site().server());
      } else {
        json.close();
      }
      json.close();
    }
    flush();
  }

  private void flush() {
    if (out.length() > 0) {
      call.out(out.toString());
      out.setLength(0);
    }
  }

  private void head() {
    switch (options.format()) {
      case TABLE -> out.append(JobTables.head(options.has('w'), options.has('p')));
      case ALTERNATE -> out.append(alternate.head(call.site().server()));
      case JSON -> json.head(nowMs / 1000, Version.text(), call.site().server()).open("Jobs");
      case WRAPPED, WIDE, DSV -> {}
    }
  }

  private List<ShownAttribute> attributes(Job job) throws QueryException, InterruptedException {
    return text.attributes(job, comments.joined(job, nowMs));
  }

  private String row(Job job) {
    boolean wide = options.has('w');
    return options.has('p')
        ? JobTables.row(job, wide, JobProgress.percent(job, nowMs))
        : JobTables.row(job, wide);
  }

  /** A job in the alternate table. */
  String entry(Job job) throws QueryException, InterruptedException {
    OptionalLong start =
        options.has('T') ? comments.expectedStart(job, nowMs) : OptionalLong.empty();
    String comment = options.has('s') ? comments.of(job) : null;
    return alternate.entry(job, start, options.has('n'), comment);
  }

  /** When a waiting job is expected to start. */
  OptionalLong expectedStart(Job job) throws QueryException, InterruptedException {
    return comments.expectedStart(job, nowMs);
  }
}
