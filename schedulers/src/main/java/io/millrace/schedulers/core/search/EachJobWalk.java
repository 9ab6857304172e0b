package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.state.job.ClassState;

/** A walk that skips no class: each single job is reached, also one that is like others. */
public record EachJobWalk(JobWalk walk) implements JobWalk {

  @Override
  public void restart() {
    walk.restart();
  }

  @Override
  public boolean next() {
    return walk.next();
  }

  @Override
  public ClassState owner() {
    return walk.owner();
  }

  @Override
  public int slot() {
    return walk.slot();
  }

  @Override
  public void skipClass() {
    // The others of the class are looked at, too.
  }
}
