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
  public record Load(long nodes, long allocated, long jobs, double load, boolean idle) {}

  /**
   * Whether to start a job, and why.
   *
   * @param reason empty when it goes without saying
   */
  public record Verdict(boolean start, String reason) {}

  /** Why a host starts no job; empty when it may start one. */
  Optional<String> refusal(CycleHost host) {
    Load load = new Load(host.nodes(), host.allocated(), host.jobs(), host.load(), false);
    return fewJobs(load) ? Optional.empty() : manyJobs(load).or(() -> muchLoad(load));
  }

  /** Whether a host should get a job at all, all things told. */
  public Verdict evaluate(Load load) {
    if (load.nodes() == load.allocated()) {
      return new Verdict(false, "No nodes available to schedule");
    }
    if (fewJobs(load)) {
      long least = config.number(MIN_JOBS);
      return new Verdict(true, "Not running enough jobs (" + load.jobs() + "/" + least + " min)");
    }
    Optional<String> jobs = manyJobs(load);
    if (jobs.isPresent()) {
      return new Verdict(false, jobs.get());
    }
    if (load.load() < bound(load, -config.variance(TARGET_LOAD_VARIANCE).minus())) {
      return new Verdict(true, "");
    }
    Optional<String> much = muchLoad(load);
    if (much.isPresent()) {
      return new Verdict(false, much.get());
    }
    return load.load() < bound(load, 0) || load.idle()
        ? new Verdict(true, "")
        : new Verdict(false, "Done.  Don't need to run any jobs.");
  }

  private boolean fewJobs(Load load) {
    return load.jobs() < config.number(MIN_JOBS);
  }

  private Optional<String> manyJobs(Load load) {
    long most = config.number(MAX_JOBS);
    return most > 0 && load.jobs() >= most
        ? Optional.of("Maximum number of jobs running (" + load.jobs() + "/" + most + " max)")
        : Optional.empty();
  }

  private Optional<String> muchLoad(Load load) {
    double most = bound(load, config.variance(TARGET_LOAD_VARIANCE).plus());
    return load.load() > most
        ? Optional.of(
            String.format(Locale.ROOT, "Load Average too high (%.2f/%.2f max)", load.load(), most))
        : Optional.empty();
  }

  private double bound(Load load, long percent) {
    long processors = load.nodes() * OriginNodes.PROCESSORS;
    return (config.number(TARGET_LOAD_PCT) + percent) / PERCENT * processors;
  }
}
