package io.millrace.schedulers.core.model;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.attributes.PlacementRule;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Arrangement;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A request made ready for comparing: the one form in which the core knows requests. Immutable. */
public final class RequestShape {

  private static final PlaceRequest ANYWHERE = new PlaceRequest(Arrangement.FREE, Sharing.UNSAID);
  private static final long[] NO_AMOUNTS = {};
  private static final int[] NO_RESOURCES = {};

  private final PlaceRequest placement;
  private final PlacementRule sets;
  private final String place;
  private final long walltimeMs;
  private final ChunkKind[] kinds;
  private final int chunks;

  /** Resources of which any chunk needs some, and their sums when there are several kinds. */
  private final int[] totalResources;

  private final long[] totalAmounts;

  /** Resources that no node has, and what the job needs of them once. */
  private final int[] wideResources;

  private final long[] wideAmounts;

  public RequestShape(ResourceRequest request, ResourceNames names) {
    this.place = request.getPlace().intern();
    this.placement = read(place);
    this.sets = PlacementRule.NONE.ofJob(placement.group());
    this.walltimeMs = estimateMs(request);
    List<ChunkKind> all = new ArrayList<>();
    TreeMap<Integer, Long> totals = new TreeMap<>();
    int count = 0;
    for (Chunk chunk : request.getChunks()) {
      ChunkKind kind = ChunkKind.of(chunk, names);
      all.add(kind);
      count += kind.count();
      for (int i = 0; i < kind.resources().length; i++) {
        totals.merge(kind.resources()[i], kind.amounts()[i] * kind.count(), Long::sum);
      }
    }
    this.kinds = all.toArray(ChunkKind[]::new);
    this.chunks = count;
    boolean one = kinds.length == 1;
    this.totalResources = one ? kinds[0].resources() : ints(totals.keySet());
    this.totalAmounts =
        one ? NO_AMOUNTS : totals.values().stream().mapToLong(Long::longValue).toArray();
    TreeMap<Integer, Long> wide = new TreeMap<>();
    request.getJobWide().forEach((name, amount) -> wide.put(names.number(name), amount));
    this.wideResources = wide.isEmpty() ? NO_RESOURCES : ints(wide.keySet());
    this.wideAmounts =
        wide.isEmpty() ? NO_AMOUNTS : wide.values().stream().mapToLong(Long::longValue).toArray();
  }

  private static int[] ints(Collection<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  private RequestShape(RequestShape same, PlacementRule sets) {
    this.place = same.place;
    this.placement = same.placement;
    this.sets = sets;
    this.walltimeMs = same.walltimeMs;
    this.kinds = same.kinds;
    this.chunks = same.chunks;
    this.totalResources = same.totalResources;
    this.totalAmounts = same.totalAmounts;
    this.wideResources = same.wideResources;
    this.wideAmounts = same.wideAmounts;
  }

  /**
   * The same request under a rule about placement sets, which counts unless the request says {@code
   * place=group=} itself.
   */
  public RequestShape under(PlacementRule rule) {
    PlacementRule its = rule.ofJob(placement.group());
    return its.equals(sets) ? this : new RequestShape(this, its);
  }

  /** The placement sets in one of which the job has to lie. */
  public PlacementRule sets() {
    return sets;
  }

  private static PlaceRequest read(String place) {
    PlaceRequest placement = place.isEmpty() ? ANYWHERE : PlaceRequest.of(place);
    return placement.equals(ANYWHERE) ? ANYWHERE : placement;
  }

  /** So many chunks of an amount of one resource each, anywhere. */
  public RequestShape(int chunks, int resource, long amount, long walltimeMs) {
    this.place = "";
    this.placement = ANYWHERE;
    this.sets = PlacementRule.NONE;
    this.walltimeMs = walltimeMs;
    int[] resources = {resource};
    this.kinds = new ChunkKind[] {ChunkKind.of(chunks, resources, new long[] {amount})};
    this.chunks = chunks;
    this.totalResources = resources;
    this.totalAmounts = NO_AMOUNTS;
    this.wideResources = NO_RESOURCES;
    this.wideAmounts = NO_AMOUNTS;
  }

  public PlaceRequest placement() {
    return placement;
  }

  /** The {@code place} directive as the user wrote it. */
  public String place() {
    return place;
  }

  /** Estimated runtime; {@link UsageProfile#FOREVER} when none was given. */
  public long walltimeMs() {
    return walltimeMs;
  }

  /** Kinds of chunks of the request; not to be changed. */
  public ChunkKind[] kinds() {
    return kinds;
  }

  /** Number of chunks of all kinds together. */
  public int chunks() {
    return chunks;
  }

  /** What the job needs of any resource: the sum over all chunks, or what it asks for once. */
  public long total(int resource) {
    long sum = 0;
    for (int i = 0; i < wideResources.length; i++) {
      sum += wideResources[i] == resource ? wideAmounts[i] : 0;
    }
    for (ChunkKind kind : kinds) {
      sum += kind.any(resource) * kind.count();
    }
    return sum;
  }

  /** Largest amount of a resource that a single chunk needs. */
  public long largest(int resource) {
    long largest = 0;
    for (ChunkKind kind : kinds) {
      largest = Math.max(largest, kind.amount(resource));
    }
    return largest;
  }

  /** True when there are placement sets for the job. */
  public boolean grouped() {
    return sets.grouped();
  }

  /** True when its chunks may lie on several hosts. */
  public boolean severalHosts() {
    return chunks > 1 && placement.arrangement() != Arrangement.PACK;
  }

  /** Number of resources of which the job needs some. */
  public int totals() {
    return totalResources.length;
  }

  public int totalResource(int index) {
    return totalResources[index];
  }

  /** Sum of a needed resource over all chunks. */
  public long totalAmount(int index) {
    return kinds.length == 1 ? kinds[0].amounts()[index] * kinds[0].count() : totalAmounts[index];
  }

  /**
   * The request as a record. It is not kept: with many classes it would take most of the memory.
   */
  public ResourceRequest record(ResourceNames names) {
    List<Chunk> chunkRecords = new ArrayList<>();
    for (ChunkKind kind : kinds) {
      Map<String, Long> amounts = new TreeMap<>();
      for (int i = 0; i < kind.resources().length; i++) {
        amounts.put(names.name(kind.resources()[i]), kind.amounts()[i]);
      }
      for (int i = 0; i < kind.unlimited().length; i++) {
        amounts.put(names.name(kind.unlimited()[i]), kind.unlimitedAmounts()[i]);
      }
      chunkRecords.add(new Chunk(kind.count(), amounts, new HashMap<>(kind.matches())));
    }
    long seconds = walltimeMs == UsageProfile.FOREVER ? -1 : walltimeMs / 1000;
    return new ResourceRequest(chunkRecords, place, seconds, jobWide(names));
  }

  private Map<String, Long> jobWide(ResourceNames names) {
    Map<String, Long> amounts = new TreeMap<>();
    for (int i = 0; i < wideResources.length; i++) {
      amounts.put(names.name(wideResources[i]), wideAmounts[i]);
    }
    return amounts;
  }

  private boolean asksOnceFor(Map<String, Long> amounts, ResourceNames names) {
    return wideResources.length == amounts.size()
        && (wideResources.length == 0 || jobWide(names).equals(amounts));
  }

  /**
   * True when this shape was made from an equal request, of which nodes could run short of the same
   * as now; rules about sets aside.
   */
  public boolean isOf(ResourceRequest request, ResourceNames names) {
    if (walltimeMs != estimateMs(request)
        || !place.equals(request.getPlace())
        || kinds.length != request.getChunks().size()
        || !asksOnceFor(request.getJobWide(), names)) {
      return false;
    }
    for (int k = 0; k < kinds.length; k++) {
      ChunkKind kind = kinds[k];
      Chunk chunk = request.getChunks().get(k);
      if (kind.count() != chunk.getCount()
          || kind.resources().length + kind.unlimited().length != chunk.getAmounts().size()
          || !kind.matches().equals(chunk.getMatches())) {
        return false;
      }
      for (Map.Entry<String, Long> amount : chunk.getAmounts().entrySet()) {
        int number = names.number(amount.getKey());
        boolean limited = ChunkKind.limited(number, amount.getValue(), names);
        if (!kind.asksFor(number, amount.getValue(), limited)) {
          return false;
        }
      }
    }
    return true;
  }

  /** A walltime of 0 is none, as for the shard and for hosts. */
  private static long estimateMs(ResourceRequest request) {
    return request.getWalltimeS() <= 0
        ? UsageProfile.FOREVER
        : milliseconds(request.getWalltimeS());
  }

  /** Least amount that any chunk needs of the resource. */
  public long leastAmount(int resource) {
    long least = Long.MAX_VALUE;
    for (ChunkKind kind : kinds) {
      least = Math.min(least, kind.amount(resource));
    }
    return least == Long.MAX_VALUE ? 0 : least;
  }

  /** Number by which equal shapes are found; unequal ones rarely share it. */
  public long fingerprint() {
    long mixed = walltimeMs * 31 + place.hashCode();
    for (ChunkKind kind : kinds) {
      mixed = mixed * 0x9E3779B97F4A7C15L + kind.count();
      for (int i = 0; i < kind.resources().length; i++) {
        mixed = (mixed ^ (mixed >>> 29)) * 31 + kind.resources()[i];
        mixed = mixed * 0x9E3779B97F4A7C15L + kind.amounts()[i];
      }
      mixed += kind.matches().hashCode();
    }
    for (int i = 0; i < wideResources.length; i++) {
      mixed = (mixed ^ (mixed >>> 29)) * 31 + wideResources[i];
      mixed = mixed * 0x9E3779B97F4A7C15L + wideAmounts[i];
    }
    return mixed ^ (mixed >>> 32);
  }

  public boolean sameAs(RequestShape other) {
    if (walltimeMs != other.walltimeMs()
        || kinds.length != other.kinds().length
        || !place.equals(other.place())
        || !Arrays.equals(wideResources, other.wideResources)
        || !Arrays.equals(wideAmounts, other.wideAmounts)) {
      return false;
    }
    for (int i = 0; i < kinds.length; i++) {
      ChunkKind a = kinds[i];
      ChunkKind b = other.kinds()[i];
      if (a.count() != b.count()
          || !Arrays.equals(a.resources(), b.resources())
          || !Arrays.equals(a.amounts(), b.amounts())
          || !Arrays.equals(a.unlimited(), b.unlimited())
          || !Arrays.equals(a.unlimitedAmounts(), b.unlimitedAmounts())
          || !a.matches().equals(b.matches())) {
        return false;
      }
    }
    return true;
  }

  public static long milliseconds(long seconds) {
    return seconds > UsageProfile.FOREVER / 1000 ? UsageProfile.FOREVER : seconds * 1000;
  }
}
