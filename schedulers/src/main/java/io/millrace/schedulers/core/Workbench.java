package io.millrace.schedulers.core;

/** What cycles over one state need and keep, so that none has to make it anew. */
final class Workbench {

  final WorkCount work = new WorkCount();
  final Window window;
  final FirstFit fit;
  final Outlook outlook;
  final EarlierStart earlier;
  final Diagnosis diagnosis;
  final OrderWalk walk;
  final Suitability suitability;

  /** Number of the cycle. */
  int cycle;

  /** Changes whenever somebody may be helped by preemption who could not before. */
  int hope;

  Workbench(SchedulerState state) {
    window = new Window(state.nodes(), state.names());
    fit = new FirstFit(window, state.names(), work);
    EventWalk events =
        new EventWalk(window, state.holdings().releases(), state.promiseBook(), work);
    suitability = new Suitability(window, state.names());
    outlook = new Outlook(window, fit, events, work, suitability);
    earlier = new EarlierStart(window, fit, events, work);
    diagnosis = new Diagnosis(window, fit, state.names(), work);
    walk = new OrderWalk(state.book());
  }
}
