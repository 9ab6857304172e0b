package io.millrace.schedulers.dialects.origin2000.plan;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.MAX_JOBS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.MIN_JOBS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.TARGET_LOAD_PCT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.TARGET_LOAD_VARIANCE;

import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.state.OriginNodes;
import java.util.Locale;
import java.util.Optional;

/** How many jobs and how much load a host may have. */
public final class OriginHostRule {

  private static final double PERCENT = 100;

  private final OriginConfig config;

  public OriginHostRule(OriginConfig config) {
    this.config = config;
  }

  /**
   * A host's figures.
   *
   * @param idle whether its processors are idle
   */
  public record HostFigures(long nodes, long allocated, long jobs, double load, boolean idle) {}

  /**
   * Whether to start a job, and why.
   *
   * @param reason empty when it goes without saying
   */
  public record HostVerdict(boolean start, String reason) {}

  /** Why a host starts no job; empty when it may start one. */
  Optional<String> refusal(CycleHost host) {
    HostFigures load =
        new HostFigures(host.nodes(), host.allocated(), host.jobs(), host.load(), false);
    return fewJobs(load) ? Optional.empty() : manyJobs(load).or(() -> muchLoad(load));
  }

  /** Whether a host should get a job at all, all things told. */
  public HostVerdict evaluate(HostFigures load) {
    if (load.nodes() == load.allocated()) {
      return new HostVerdict(false, "No nodes available to schedule");
    }
    if (fewJobs(load)) {
      long least = config.number(MIN_JOBS);
      return new HostVerdict(
          true, "Not running enough jobs (" + load.jobs() + "/" + least + " min)");
    }
    Optional<String> jobs = manyJobs(load);
    if (jobs.isPresent()) {
      return new HostVerdict(false, jobs.get());
    }
    if (load.load() < bound(load, -config.variance(TARGET_LOAD_VARIANCE).minus())) {
      return new HostVerdict(true, "");
    }
    Optional<String> much = muchLoad(load);
    if (much.isPresent()) {
      return new HostVerdict(false, much.get());
    }
    return load.load() < bound(load, 0) || load.idle()
        ? new HostVerdict(true, "")
        : new HostVerdict(false, "Done.  Don't need to run any jobs.");
  }

  private boolean fewJobs(HostFigures load) {
    return load.jobs() < config.number(MIN_JOBS);
  }

  private Optional<String> manyJobs(HostFigures load) {
    long most = config.number(MAX_JOBS);
    return most > 0 && load.jobs() >= most
        ? Optional.of("Maximum number of jobs running (" + load.jobs() + "/" + most + " max)")
        : Optional.empty();
  }

  private Optional<String> muchLoad(HostFigures load) {
    double most = bound(load, config.variance(TARGET_LOAD_VARIANCE).plus());
    return load.load() > most
        ? Optional.of(
            String.format(Locale.ROOT, "Load Average too high (%.2f/%.2f max)", load.load(), most))
        : Optional.empty();
  }

  private double bound(HostFigures load, long percent) {
    long processors = load.nodes() * OriginNodes.PROCESSORS;
    return (config.number(TARGET_LOAD_PCT) + percent) / PERCENT * processors;
  }
}
