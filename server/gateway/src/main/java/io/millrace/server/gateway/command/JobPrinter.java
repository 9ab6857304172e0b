package io.millrace.server.gateway.command;

import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.print.JobTables;
import io.millrace.server.gateway.print.JobText;
import io.millrace.server.gateway.print.Json;
import io.millrace.server.gateway.print.Listing;
import io.millrace.server.gateway.print.Shown;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.QueryException;
import java.util.List;

/** Prints the jobs of one qstat, one after the other, in the form that its options ask for. */
final class JobPrinter {

  private static final int OUTPUT_CHARS = 32 << 10;

  /** From so many jobs on, output is shown while the rest is still being read. */
  private static final int STREAM_FROM = 2_000;

  private final Call call;
  private final QstatOptions options;
  private final JobText text;
  private final Comments comments;
  private final StringBuilder out = new StringBuilder();
  private final Json json = new Json(out);
  private final long nowMs;
  private int printed;

  JobPrinter(Call call, QstatOptions options) {
    this.call = call;
    this.options = options;
    this.text = new JobText(new Times(call.site().clock().getZone()), call.site().server());
    this.comments = new Comments(call.site(), text);
    this.nowMs = call.site().clock().millis();
  }

  void print(Job job) throws QueryException, InterruptedException {
    if (printed++ == 0) {
      head();
    }
    switch (options.format()) {
      case TABLE -> out.append(JobTables.row(job));
      case ALTERNATE -> alternate(job);
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
    if (printed == STREAM_FROM) {
      call.invocation().streaming();
    }
    if (out.length() >= OUTPUT_CHARS) {
      flush();
    }
  }

  void end() {
    if (options.format() == QstatOptions.Format.JSON) {
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
      case TABLE -> out.append(JobTables.HEAD);
      case ALTERNATE -> out.append(JobTables.alternateHead(call.site().server(), options.has('w')));
      case JSON -> json.head(nowMs / 1000, Version.text(), call.site().server()).open("Jobs");
      case WRAPPED, WIDE, DSV -> {}
    }
  }

  private List<Shown> attributes(Job job) throws QueryException, InterruptedException {
    return text.attributes(job, comments.of(job), call.site().queries().dependents(job));
  }

  private void alternate(Job job) throws QueryException, InterruptedException {
    boolean oneLine = options.has('1');
    out.append(JobTables.alternateRow(job, nowMs, options.has('w')));
    if (options.has('n')) {
      out.append(JobTables.hosts(job, oneLine));
    }
    if (options.has('s')) {
      out.append(JobTables.comment(comments.of(job), oneLine));
    }
    out.append('\n');
  }
}
