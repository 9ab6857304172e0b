package io.millrace.schedulers.campaigns.harvest;

import io.millrace.schedulers.campaigns.predictors.Flow;
import io.millrace.schedulers.campaigns.predictors.Predictor;
import io.millrace.schedulers.campaigns.predictors.Predictor.PredictorTiming;

/**
 * Replays a campaign of any number of tasks on the processors that local jobs leave. Tasks begin in
 * the order of their sending, as soon as there is room; a local job that needs room ends the
 * youngest of them.
 */
public final class HarvestReplay {

  /** Seconds between two questions to a predictor that is asked at intervals. */
  private static final long INTERVAL_S = 30;

  private final IdleProcessors local;
  private final TaskMix mix;
  private final Predictor predictor;
  private final TaskPool tasks;
  private double nowS;
  private double waitingSeconds;
  private int waitingMost;
  private long sent;
  private long takenBack;

  private HarvestReplay(IdleProcessors local, TaskMix mix, Predictor predictor) {
    this.local = local;
    this.mix = mix;
    this.predictor = predictor;
    this.tasks = new TaskPool(mix);
    this.nowS = local.fromS();
  }

  public static HarvestFigures run(IdleProcessors local, TaskMix mix, Predictor predictor) {
    return new HarvestReplay(local, mix, predictor).run();
  }

  private HarvestFigures run() {
    boolean always = predictor.asked() == PredictorTiming.EACH_FACT;
    int step = 0;
    int room = 0;
    long lookS = local.fromS();
    while (true) {
      double stepS = step < local.atS().length ? local.atS()[step] : Double.POSITIVE_INFINITY;
      double nextS = Math.min(Math.min(stepS, tasks.nextEndS()), lookS);
      if (nextS >= local.toS()) {
        break;
      }
      pass(nextS);
      if (nextS == stepS) {
        room = local.idle()[step++];
        tasks.shrink(room, nowS);
      }
      tasks.end(nowS);
      tasks.begin(room, nowS);
      boolean look = nextS == lookS;
      if (look) {
        lookS += INTERVAL_S;
      }
      if (look || always) {
        ask(room);
      }
      waitingMost = Math.max(waitingMost, tasks.waiting());
    }
    pass(local.toS());
    return figures();
  }

  private void pass(double toS) {
    waitingSeconds += tasks.waiting() * (toS - nowS);
    nowS = toS;
  }

  private void ask(int room) {
    Flow flow = predictor.flow(tasks.sight(local.processors(), room));
    takenBack += tasks.takeBack(flow.takeBack());
    tasks.send(flow.send());
    sent += flow.send();
    tasks.begin(room, nowS);
  }

  private HarvestFigures figures() {
    double idle = local.processorSeconds();
    return new HarvestFigures(
        new HarvestFigures.IdleTimeShares(
            mix.processors() * tasks.doneSeconds() / idle,
            mix.processors() * tasks.killedSeconds() / idle),
        tasks.done(),
        tasks.killed(),
        sent,
        takenBack,
        new HarvestFigures.WaitingTaskCounts(
            waitingSeconds / (local.toS() - local.fromS()), waitingMost));
  }
}
