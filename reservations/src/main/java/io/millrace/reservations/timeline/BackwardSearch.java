package io.millrace.reservations.timeline;

/**
 * Earliest start of a parallel request, sought from the end of time backwards.
 *
 * <p>Simple semantics: at each change of use, from the last one backwards, add up the shares of all
 * hosts; stop at the first time with too few. Two things keep it cheap on many hosts. The search
 * begins where as many hosts as the request can need are free for good, for nothing can fail after
 * that; and from there on only hosts whose own use changed are counted again.
 */
final class BackwardSearch {

  private static final long ALWAYS = Container.ALWAYS;

  private final Timeline timeline;
  private final ParallelRequest request;
  private final Claim claim;
  private final long from;

  /** Hosts with open or watched queue instances; groups[i] belongs to the i-th of them. */
  private final HostGroup[] groups;

  private long total;
  private int withFirst;

  BackwardSearch(Timeline timeline, ParallelRequest request, long from) {
    this.timeline = timeline;
    this.request = request;
    this.claim = request.claim();
    this.from = from;
    this.groups = HostGroup.of(timeline, request.places());
  }

  long find() {
    long safe = safeTime();
    if (safe == UsageProfile.NEVER) {
      return UsageProfile.NEVER;
    }
    if (safe <= from) {
      return firstChange();
    }
    LongHeap keys = new LongHeap(groups.length + 1);
    for (int i = 0; i < groups.length; i++) {
      count(groups[i], safe - 1);
      keys.add(nextKey(groups[i], safe - 1), i);
    }
    keys.add(lastSharedChange(safe - 1), groups.length);
    return walk(keys, safe);
  }

  /** Walks back from the last time that is known to fit to the first that does not. */
  private long walk(LongHeap keys, long safe) {
    long best = safe;
    int[] turn = new int[groups.length + 1];
    while (keys.size() > 0 && keys.topKey() >= from) {
      long time = keys.topKey();
      boolean change = false;
      int size = 0;
      while (keys.size() > 0 && keys.topKey() == time) {
        int index = keys.removeTop();
        turn[size++] = index;
        change |= changesAt(index, time);
        if (index < groups.length) {
          count(groups[index], time);
        }
      }
      if (change && !suits(time)) {
        return best;
      }
      best = change ? time : best;
      for (int i = 0; i < size; i++) {
        push(keys, turn[i], time - 1);
      }
    }
    return best;
  }

  private boolean changesAt(int index, long time) {
    return index == groups.length || lastChange(groups[index], time) == time;
  }

  private void push(LongHeap keys, int index, long time) {
    long key = ALWAYS;
    if (index == groups.length) {
      key = lastSharedChange(time);
    } else {
      count(groups[index], time);
      key = nextKey(groups[index], time);
    }
    if (key != ALWAYS) {
      keys.add(key, index);
    }
  }

  private boolean suits(long time) {
    return total >= request.slots()
        && (!claim.takesOnce() || withFirst > 0)
        && timeline.slots(claim, request.environment(), window(time)) >= request.slots();
  }

  private Window window(long time) {
    return Window.of(time, request.duration());
  }

  /** Replaces the counted share of a host by its share at a time. */
  private void count(HostGroup group, long time) {
    Window window = window(time);
    int share =
        group.open.length == 0
            ? 0
            : request.share(group.host, timeline.slots(claim, group.host, group.open, window));
    total += share - group.share;
    group.share = share;
    if (claim.takesOnce()) {
      boolean first = share > 0 && canBeFirst(group, window);
      withFirst += (first ? 1 : 0) - (group.first ? 1 : 0);
      group.first = first;
    }
  }

  private boolean canBeFirst(HostGroup group, Window window) {
    if (!timeline.host(group.host).hasOnce(claim, window.from(), window.to())) {
      return false;
    }
    for (int queue : group.open) {
      Container container = timeline.queue(queue);
      if (!request.places().neverFirst().get(queue)
          && container.room(claim, window.from(), window.to()) > 0
          && container.hasOnce(claim, window.from(), window.to())) {
        return true;
      }
    }
    return false;
  }

  /**
   * A time from which on every start fits: from then on enough hosts have their least share for
   * good. If that is not known of enough hosts, the end of all known uses.
   */
  private long safeTime() {
    Window last = Window.LAST;
    long shared = cluster().freeForGood(claim, request.slots());
    if (request.environment() != Timeline.NONE) {
      Container environment = timeline.environment(request.environment());
      shared = Math.max(shared, environment.freeForGood(claim, request.slots()));
    }
    if (shared == UsageProfile.NEVER) {
      return UsageProfile.NEVER;
    }
    long first = claim.takesOnce() ? firstForGood() : ALWAYS;
    long hosts = first == UsageProfile.NEVER ? first : enoughHosts();
    if (hosts != UsageProfile.NEVER) {
      return Math.max(Math.max(first, hosts), shared);
    }
    for (HostGroup group : groups) {
      count(group, last.from());
    }
    return suits(last.from()) ? lastChange(last.from()) : UsageProfile.NEVER;
  }

  private Container cluster() {
    return timeline.cluster();
  }

  private long firstForGood() {
    long best = UsageProfile.NEVER;
    for (HostGroup group : groups) {
      if (!request.mayCount(group.host)) {
        continue;
      }
      long host = timeline.host(group.host).freeForGood(claim, request.leastPerHost());
      for (int queue : group.open) {
        if (request.places().neverFirst().get(queue)) {
          continue;
        }
        long time =
            Math.max(host, timeline.queue(queue).freeForGood(claim, request.leastPerHost()));
        best = Math.min(best, time);
      }
    }
    return best;
  }

  /** Time from which on enough hosts have their least share in one queue instance for good. */
  private long enoughHosts() {
    int needed = (request.slots() + request.leastPerHost() - 1) / request.leastPerHost();
    if (needed > groups.length) {
      return UsageProfile.NEVER;
    }
    if (needed == 0) {
      return ALWAYS;
    }
    LongHeap earliest = new LongHeap(needed + 1);
    for (HostGroup group : groups) {
      long time = leastForGood(group);
      if (earliest.size() < needed || time < earliest.topKey()) {
        earliest.add(time, 0);
      }
      if (earliest.size() > needed) {
        earliest.removeTop();
      }
    }
    return earliest.topKey();
  }

  private long leastForGood(HostGroup group) {
    if (!request.mayCount(group.host)) {
      return UsageProfile.NEVER;
    }
    long best = UsageProfile.NEVER;
    for (int queue : group.open) {
      best = Math.min(best, timeline.queue(queue).freeForGood(claim, request.leastPerHost()));
    }
    return best == UsageProfile.NEVER
        ? best
        : Math.max(best, timeline.host(group.host).freeForGood(claim, request.leastPerHost()));
  }

  /** The last change of any use at or before a time. */
  long lastChange(long time) {
    long last = lastSharedChange(time);
    for (HostGroup group : groups) {
      last = Math.max(last, lastChange(group, time));
    }
    return last;
  }

  /**
   * The first change not earlier than the begin of the search; the begin itself when there is none.
   */
  private long firstChange() {
    long first = UsageProfile.NEVER;
    for (int i = 0; i <= groups.length; i++) {
      long time = Long.MAX_VALUE;
      long before =
          i == groups.length ? lastSharedChange(time - 1) : lastChange(groups[i], time - 1);
      while (before >= from && before != ALWAYS) {
        time = before;
        before = i == groups.length ? lastSharedChange(time - 1) : lastChange(groups[i], time - 1);
      }
      first = Math.min(first, time);
    }
    return first == UsageProfile.NEVER ? from : first;
  }

  private long lastSharedChange(long time) {
    long last = cluster().lastChange(claim, time);
    return request.environment() == Timeline.NONE
        ? last
        : Math.max(last, timeline.environment(request.environment()).lastChange(claim, time));
  }

  private long lastChange(HostGroup group, long time) {
    long last = timeline.host(group.host).lastChange(claim, time);
    for (int queue : group.open) {
      last = Math.max(last, timeline.queue(queue).lastChange(claim, time));
    }
    for (int queue : group.watched) {
      last = Math.max(last, timeline.queue(queue).lastChange(claim, time));
    }
    return last;
  }

  /**
   * Latest time, at most the given one, at which a host's share can differ: where its use changes,
   * or where a change leaves the window at its end.
   */
  private long nextKey(HostGroup group, long time) {
    long key = lastChange(group, time);
    long end = UsageProfile.end(time, request.duration());
    if (end != UsageProfile.FOREVER) {
      long outside = lastChange(group, end);
      key = outside == ALWAYS ? key : Math.max(key, outside - request.duration());
    }
    return key;
  }
}
