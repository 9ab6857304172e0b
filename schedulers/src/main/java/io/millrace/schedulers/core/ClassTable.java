package io.millrace.schedulers.core;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ResourceRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The classes that have jobs. Found by a fingerprint of the request, since making the canonical
 * text for each of a million jobs would take most of the time of a start.
 */
final class ClassTable {

  private final ResourceNames names;
  private final Map<Long, ClassState> byFingerprint = new HashMap<>();
  private final List<ClassState> byId = new ArrayList<>();
  private final List<Integer> freeIds = new ArrayList<>();

  ClassTable(ResourceNames names) {
    this.names = names;
  }

  ClassState get(int id) {
    return byId.get(id);
  }

  int size() {
    return byId.size() - freeIds.size();
  }

  void each(Consumer<ClassState> visitor) {
    for (ClassState it : byId) {
      if (it != null) {
        visitor.accept(it);
      }
    }
  }

  /** Class of a request in a queue, made when it is new. */
  ClassState classOf(QueueState queue, JobBook.Wish wish) {
    if (wish instanceof JobBook.Recorded recorded) {
      return classOf(queue, recorded.request());
    }
    RequestShape shape = ((JobBook.Shaped) wish).shape();
    long fingerprint = mix(queue.name.hashCode(), shape.fingerprint());
    ClassState head = byFingerprint.get(fingerprint);
    for (ClassState it = head; it != null; it = it.sameFingerprint) {
      if (it.queue == queue && it.shape.sameAs(shape)) {
        return it;
      }
    }
    return create(queue, shape, fingerprint, head);
  }

  private ClassState classOf(QueueState queue, ResourceRequest request) {
    long fingerprint = fingerprint(queue.name, request);
    ClassState head = byFingerprint.get(fingerprint);
    for (ClassState it = head; it != null; it = it.sameFingerprint) {
      if (it.queue == queue && same(it.shape.record(names), request)) {
        return it;
      }
    }
    return create(queue, new RequestShape(request, names), fingerprint, head);
  }

  private ClassState create(
      QueueState queue, RequestShape shape, long fingerprint, ClassState next) {
    int id = freeIds.isEmpty() ? byId.size() : freeIds.remove(freeIds.size() - 1);
    ClassState created = new ClassState(id, queue, shape, fingerprint);
    created.sameFingerprint = next;
    byFingerprint.put(fingerprint, created);
    if (id == byId.size()) {
      byId.add(created);
    } else {
      byId.set(id, created);
    }
    queue.add(created);
    return created;
  }

  /** Forgets a class without jobs. */
  void forget(ClassState empty) {
    ClassState head = byFingerprint.get(empty.fingerprint);
    if (head == empty) {
      if (empty.sameFingerprint == null) {
        byFingerprint.remove(empty.fingerprint);
      } else {
        byFingerprint.put(empty.fingerprint, empty.sameFingerprint);
      }
    } else {
      ClassState before = head;
      while (before.sameFingerprint != empty) {
        before = before.sameFingerprint;
      }
      before.sameFingerprint = empty.sameFingerprint;
    }
    empty.queue.remove(empty);
    byId.set(empty.id, null);
    freeIds.add(empty.id);
  }

  private static boolean same(ResourceRequest a, ResourceRequest b) {
    if (a.getWalltimeS() != b.getWalltimeS()
        || !a.getPlace().equals(b.getPlace())
        || a.getChunks().size() != b.getChunks().size()) {
      return false;
    }
    for (int i = 0; i < a.getChunks().size(); i++) {
      Chunk x = a.getChunks().get(i);
      Chunk y = b.getChunks().get(i);
      if (x.getCount() != y.getCount()
          || !x.getAmounts().equals(y.getAmounts())
          || !x.getMatches().equals(y.getMatches())) {
        return false;
      }
    }
    return true;
  }

  private static long fingerprint(String queue, ResourceRequest request) {
    long mixed = mix(queue.hashCode(), request.getPlace().hashCode());
    mixed = mix(mixed, request.getWalltimeS());
    for (Chunk chunk : request.getChunks()) {
      long sum = chunk.getCount();
      // A sum, since the order of a map's entries says nothing.
      for (Map.Entry<String, Long> amount : chunk.getAmounts().entrySet()) {
        sum += mix(amount.getKey().hashCode(), amount.getValue());
      }
      for (Map.Entry<String, String> match : chunk.getMatches().entrySet()) {
        sum += mix(match.getKey().hashCode(), match.getValue().hashCode());
      }
      mixed = mix(mixed, sum);
    }
    return mixed;
  }

  private static long mix(long a, long b) {
    long mixed = (a ^ Long.rotateLeft(b, 32)) * 0x9E3779B97F4A7C15L + b;
    return mixed ^ (mixed >>> 29);
  }
}
