package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import java.util.List;

/** Room for slots on one host, and the slots already granted there. */
public final class HostRoom {

  public final Place[] places;
  public final int[] rooms;
  public final boolean[] masters;
  public final int[] granted;
  public int onHost;

  public HostRoom(List<Place> places) {
    this.places = places.toArray(new Place[0]);
    this.rooms = new int[this.places.length];
    this.masters = new boolean[this.places.length];
    this.granted = new int[this.places.length];
  }

  /** Slots that are left in the instance and on the host, at most {@code wanted}. */
  public int possible(int wanted) {
    long together = 0;
    int left = onHost;
    for (int i = 0; i < places.length; i++) {
      together += Math.max(0, rooms[i] - granted[i]);
      left -= granted[i];
    }
    return (int) Math.min(Math.min(left, together), wanted);
  }
}
