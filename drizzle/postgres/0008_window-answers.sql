CREATE TABLE "window_answers" (
	"instance" text collate "C" PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"answers" text collate "C",
	"answered_at" bigint NOT NULL
);

--> statement-breakpoint
drop function take_places(json, bigint);
--> statement-breakpoint
drop function sweep_windows(bigint);
--> statement-breakpoint
alter table window_answers set (fillfactor = 50);
--> statement-breakpoint
-- As before, but an instance that asks again, because its connection was lost before the answer came, gets the answer that it was not told: nothing is taken twice.
-- Requests are [{"places": [{"id", "limit"}, …], "count"}, …]: so many times a place in each of these windows, or in none where one is full. The answer has for each
-- request {"admitted": how often there was room, "full": the first window without room for the rest, by its number, or null, "wait": milliseconds until it has room}.
create function take_places(by_instance text, by_number bigint, requests json, given_now bigint) returns json language plpgsql as $$
declare
  ids text[];
  found_ids integer;
  now numeric;
  moment bigint;
  request json;
  room integer;
  full_at integer;
  wait bigint;
  found_answers json[] := '{}';
  known text;
begin
  -- Limits need not outlive a crash of the database, so calls do not wait for its disk. It holds for this transaction alone, which writes nothing else.
  perform set_config('synchronous_commit', 'off', true);
  -- Locks the instance's row, so that one who asks again waits for the first.
  insert into window_answers as last (instance, number, answered_at) values (by_instance, by_number, windows_now(given_now))
    on conflict (instance) do update set number = excluded.number, answered_at = excluded.answered_at,
      answers = case when last.number = excluded.number then last.answers end
    returning answers into known;
  if known is not null then
    return known::json;
  end if;
  select array_agg(distinct place->>'id' order by place->>'id') into ids
    from json_array_elements(requests) r, json_array_elements(r->'places') place;
  -- Locked in the order of ids, so that two of these never wait for each other. A window that was swept away meanwhile is made again.
  loop
    select count(*) into found_ids from (select from windows where id = any(ids) order by id for update) locked;
    exit when found_ids = cardinality(ids);
    insert into windows (id) select unnest(ids) on conflict do nothing;
  end loop;
  -- Read once the rows are locked, so that times of a window grow in the order in which its places are taken.
  now := windows_now(given_now);
  moment := floor(now);
  -- A place in the far future was taken before the clock was set back.
  with freed as (
    delete from window_places where window_id = any(ids) and (taken_at <= moment - 60000 or taken_at > moment + 60000) returning window_id, places
  ), sums as (
    select window_id, sum(places) as places from freed group by window_id
  )
  update windows set taken = windows.taken - sums.places from sums where windows.id = sums.window_id;
  for request in select value from json_array_elements(requests) loop
    select least((request->>'count')::bigint, greatest(0, min((place->>'limit')::bigint - windows.taken))) into room
      from json_array_elements(request->'places') place join windows on windows.id = place->>'id';
    if room > 0 then
      -- Counted from the end of the millisecond, so that a place is never free too early.
      insert into window_places as known (window_id, taken_at, places)
        select place->>'id', ceil(now), room from json_array_elements(request->'places') place
        on conflict (window_id, taken_at) do update set places = known.places + excluded.places;
      update windows set taken = taken + room, taken_at = ceil(now)
        from json_array_elements(request->'places') place where windows.id = place->>'id';
    end if;
    full_at := null;
    wait := 0;
    if room < (request->>'count')::integer then
      select place.number - 1, greatest(0, (select min(taken_at) from window_places where window_id = windows.id) + 60000 - moment) into full_at, wait
        from json_array_elements(request->'places') with ordinality as place (value, number) join windows on windows.id = place.value->>'id'
        where windows.taken >= (place.value->>'limit')::bigint order by place.number limit 1;
    end if;
    found_answers := found_answers || json_build_object('admitted', room, 'full', full_at, 'wait', coalesce(wait, 0));
  end loop;
  update window_answers set answers = to_json(found_answers)::text where instance = by_instance;
  return to_json(found_answers);
end $$;
--> statement-breakpoint
create function sweep_windows(given_now bigint) returns void language sql as $$
  delete from window_answers where answered_at <= windows_now(given_now) - 60000;
  with idle as (delete from windows where taken_at <= windows_now(given_now) - 60000 returning id)
  delete from window_places using idle where window_id = idle.id
$$;
