import {bash, edit, grep, read, type SampleSession} from '../beat.ts';

const hour = 60;
const day = 24 * hour;

/** Sessions at rest, whose answers the user has read. Some go on while one looks. */
export const idle: readonly SampleSession[] = [
	{
		title: 'Idempotency keys for refunds',
		repo: 'payments',
		agent: 'claude',
		ago: 52,
		turns: [
			[
				'A refund was paid twice on Friday. How?',
				grep(
					'refund\\(',
					'app/refund/refund.ts:17:export async function refund(order: string, cents: number) {',
				),
				'The request timed out and our client sent it again; nothing tells the provider that both are the same refund. An idempotency key from the order and the refund’s number would.',
			],
		],
		later: [
			'Add the key, please.',
			edit(
				'app/refund/refund.ts',
				'body: {order, cents}',
				'body: {order, cents}, idempotencyKey: keyOf(order, number)',
			),
			bash('npx vitest run app/refund', ' Test Files  3 passed (3)\n      Tests  27 passed (27)', 12),
			'Every refund has a key now, and a repeated request returns the first one. 27 tests pass, one of them with a lost response.',
		],
	},
	{
		title: 'Search misses umlauts',
		repo: 'storefront',
		agent: 'claude',
		ago: 70,
		turns: [
			[
				'Searching for "müsli" finds nothing, "musli" does.',
				bash('curl -s localhost:3000/search?q=m%C3%BCsli | jq length', '0'),
				'The index folds umlauts, the query doesn’t. Folding both with the same function fixes it; I’d add `ß` as well.',
			],
		],
		later: [
			'Yes, both.',
			edit('app/search/query.ts', 'q.toLowerCase()', 'fold(q.toLowerCase())'),
			bash('npx vitest run app/search', ' Test Files  9 passed (9)\n      Tests  64 passed (64)', 10),
			'Both fold the same way now. `müsli`, `musli` and `muesli` find the same 14 products.',
		],
	},
	{
		title: 'Alert on queue age, not length',
		repo: 'infra',
		agent: 'claude',
		ago: 95,
		tags: ['oncall'],
		turns: [
			[
				'The queue alert fires every night during the import. Make it useful.',
				edit(
					'alerts/queue.yaml',
					'expr: queue_length > 5000',
					'expr: max(queue_oldest_age_seconds) > 300\n  for: 5m',
				),
				'It looks at the age of the oldest event now: over five minutes, for five minutes. In the last 30 days it would have fired twice, both times for a real outage.',
			],
		],
		later: [
			'And tell the on-call what to do first.',
			edit('alerts/queue.yaml', 'annotations:', 'annotations:\n    runbook: docs/runbooks/queue-age.md'),
			bash('promtool check rules alerts/*.yaml', 'Checking alerts/queue.yaml\n  SUCCESS: 4 rules found', 6),
			'The alert links `docs/runbooks/queue-age.md`: look at the worker’s error rate, then at the slowest merchant, then scale.',
		],
	},
	{
		title: 'Release notes for 2.14',
		repo: 'docs',
		agent: 'gemini',
		ago: 2 * hour,
		turns: [
			[
				'Draft the release notes for 2.14 from the merged pull requests.',
				bash('git log --oneline v2.13..main | wc -l', '63'),
				'Drafted in `releases/2.14.md`: 4 features, 11 fixes, and one change that needs action (webhooks carry a version). I left out 38 commits that no user notices.',
			],
		],
		later: [
			'Move the change that needs action to the top.',
			edit(
				'releases/2.14.md',
				'## Features',
				'## Before you upgrade\n\n- Webhooks carry `version`.\n\n## Features',
			),
			'Moved. It says what to change, and until when the old form works (March 1).',
		],
	},
	{
		title: 'Cache the price rules',
		repo: 'orders',
		agent: 'codex',
		ago: 2.5 * hour,
		turns: [
			[
				'Price rules are read from the database for every line. Cache them for a minute.',
				edit(
					'internal/price/rules.go',
					'return s.db.Rules(ctx, tenant)',
					'return s.cache.Get(ctx, tenant, s.db.Rules)',
				),
				bash('go test -race ./internal/price/...', 'ok  	example.org/orders/internal/price	2.210s'),
				'Cached per tenant for 60 s, with one read at a time. Orders with 50 lines need 18 ms instead of 74.',
			],
		],
		later: [
			'What happens when a rule is changed?',
			read('internal/price/admin.go', 'func (a *Admin) SaveRule(ctx context.Context, r Rule) error {'),
			edit(
				'internal/price/admin.go',
				'return a.db.SaveRule(ctx, r)',
				'defer a.cache.Drop(r.Tenant)\n	return a.db.SaveRule(ctx, r)',
			),
			'The server that saves it drops its copy at once; the others follow within a minute. If that is too long, an event could drop theirs.',
		],
	},
	{
		title: 'Accessibility of the size picker',
		repo: 'storefront',
		agent: 'claude',
		ago: 3 * hour,
		turns: [
			[
				'A customer can’t choose a size with a screen reader.',
				edit(
					'app/product/size-picker.tsx',
					'<div onClick={choose}>',
					'<label><input type="radio" name="size" onChange={choose} />',
				),
				bash('npx playwright test a11y/product.spec.ts', '  6 passed (8.1s)'),
				'The picker was made of `div`s. It is a radio group now: arrow keys work, and sold-out sizes are announced as such.',
			],
		],
	},
	{
		title: 'Push tokens expire silently',
		repo: 'mobile',
		agent: 'claude',
		ago: 3.5 * hour,
		turns: [
			[
				'Why do some users stop getting push messages after a restore?',
				read(
					'Sources/Push/PushRegistry.swift',
					'guard token != defaults.string(forKey: "pushToken") else { return }',
				),
				'A restored phone has the old token in its defaults and a new one from the system, but the guard compares only after the upload. I swapped them and added a test with a restored device.',
			],
		],
	},
	{
		title: 'Partition the events table',
		repo: 'orders',
		agent: 'claude',
		ago: 4 * hour,
		tags: ['migration'],
		turns: [
			[
				'Plan how to partition events by month without downtime.',
				bash('psql $STAGING -c "select pg_size_pretty(pg_total_relation_size(\'events\'))"', '412 GB'),
				'1. Create `events_new`, partitioned, with the same columns.\n2. Write to both by a trigger.\n3. Copy month by month, newest first.\n4. Swap the names in one transaction (under 100 ms).\n5. Drop the old one after a week.\n\nStep 3 takes about nine hours at a load that nobody notices.',
			],
		],
	},
	{
		title: 'Explain the ranking to support',
		repo: 'ranking',
		agent: 'gemini',
		ago: 5 * hour,
		turns: [
			[
				'Write one page that tells support why a product ranks where it does.',
				'It is in `docs/why-this-rank.md`, in four questions that customers really ask, each with the number that decides it and where to look it up.',
			],
		],
	},
	{
		title: 'Deduplicate supplier feeds',
		repo: 'ingest',
		agent: 'codex',
		ago: 6 * hour,
		turns: [
			[
				'Two suppliers send the same article with different SKUs. Find duplicates by EAN.',
				bash(
					'cargo run --release --bin dedup -- --report',
					'18,402 groups, 39,117 items, 211 with conflicting prices',
				),
				'39,117 items in 18,402 groups. 211 groups have prices that differ by more than a tenth: those need a person, and are in `conflicts.csv`.',
			],
		],
	},
	{
		title: 'Rotate the database passwords',
		repo: 'infra',
		agent: 'claude',
		ago: 7 * hour,
		turns: [
			[
				'Rotate the passwords of the read replicas without a restart.',
				bash('./rotate.sh replicas --two-phase', 'orders-r1 ok\norders-r2 ok\npayments-r1 ok'),
				'Done in two phases: the new password was accepted beside the old one, then the old one was withdrawn. No connection was dropped.',
			],
		],
	},
	{
		title: 'Gift cards over several orders',
		repo: 'payments',
		agent: 'claude',
		ago: 9 * hour,
		turns: [
			[
				'Let a gift card pay for several orders.',
				edit('app/gift/redeem.ts', 'card.isUsed = true', 'card.left -= cents'),
				bash('npx vitest run app/gift', '      Tests  41 passed (41)'),
				'A card has a balance now. Two orders at once can’t both take the last cent: the update checks what is left in the same statement.',
			],
		],
	},
	{
		title: 'How-to: webhooks from a laptop',
		repo: 'docs',
		agent: 'claude',
		ago: 11 * hour,
		turns: [
			[
				'Write a how-to for receiving webhooks on a laptop.',
				'`how-to/webhooks-locally.md` takes a reader from nothing to a first event in five commands. I followed it on a fresh container: four minutes.',
			],
		],
	},
	{
		title: 'Image sizes for retina screens',
		repo: 'storefront',
		agent: 'codex',
		ago: 20 * hour,
		turns: [
			[
				'Product images are blurry on new phones.',
				edit(
					'app/product/image.tsx',
					'srcSet={sized(url, 800)}',
					'srcSet={[sized(url, 800), sized(url, 1600)].join()}',
				),
				'Images come in two sizes. A product page grows by 90 KiB on such phones, and by nothing on others.',
			],
		],
	},
	{
		title: 'Offline basket',
		repo: 'mobile',
		agent: 'claude',
		ago: 22 * hour,
		turns: [
			[
				'Keep the basket when the phone is offline.',
				'The basket is on the device first and sent when there is a connection. If both changed, the larger quantity wins and the user is told which lines changed.',
			],
		],
	},
	{
		title: 'Trace ids in the logs',
		repo: 'orders',
		agent: 'gemini',
		ago: day,
		turns: [
			[
				'Put the trace id into every log line.',
				bash('go vet ./... && go test ./internal/log/...', 'ok  	example.org/orders/internal/log	0.412s'),
				'Each line has `trace_id`, taken from the context. 14 places logged without a context; they have one now.',
			],
		],
	},
	{
		title: 'Three-D Secure for recurring payments',
		repo: 'payments',
		agent: 'claude',
		ago: 1.2 * day,
		turns: [
			[
				'Which of our recurring payments need 3-D Secure from January on?',
				'Those that start after January 1, and old ones when the amount rises. That is 212 of 9,870 a month. The first payment asks, later ones refer to it.',
			],
		],
	},
	{
		title: 'Smaller container images',
		repo: 'infra',
		agent: 'codex',
		ago: 1.5 * day,
		turns: [
			[
				'Our images take minutes to pull. Make them smaller.',
				bash(
					'docker images --format "{{.Repository}} {{.Size}}" | head -3',
					'orders 1.21GB\npayments 980MB\nstorefront 1.4GB',
				),
				'`orders` has 38 MB instead of 1.21 GB (static binary, distroless), `payments` 212 MB, `storefront` 160 MB. A new node is ready 70 s earlier.',
			],
		],
	},
	{
		title: 'Validate supplier prices',
		repo: 'ingest',
		agent: 'claude',
		ago: 1.8 * day,
		turns: [
			[
				'A supplier sent prices in cents instead of euros. Catch that.',
				'A feed whose median price moves by more than a factor of five is held, and its supplier’s contact gets a mail with ten examples. Yesterday’s feed would have been held.',
			],
		],
	},
	{
		title: 'Weekly report for merchandising',
		repo: 'ranking',
		agent: 'claude',
		ago: 2 * day,
		turns: [
			[
				'A weekly table of products that rank high and sell little.',
				bash('uv run report.py --week 47', 'wrote reports/week-47.csv (318 rows)'),
				'318 products this week. Most have one thing in common: the picture shows several articles, and the price is of one.',
			],
		],
	},
	{
		title: 'Glossary of the API',
		repo: 'docs',
		agent: 'claude',
		ago: 3 * day,
		turns: [
			[
				'Collect all terms of the API and what they mean.',
				'74 terms in `reference/glossary.md`. Nine had two meanings; I listed both and where each is used.',
			],
		],
	},
	{
		title: 'Remove the old checkout',
		repo: 'storefront',
		agent: 'claude',
		ago: 4 * day,
		isArchived: true,
		turns: [
			[
				'Nobody uses the old checkout any more. Remove it.',
				bash('git diff --shortstat main', ' 61 files changed, 88 insertions(+), 7,412 deletions(-)'),
				'7,412 lines are gone. Two pages still linked to it; they link to the new one.',
			],
		],
	},
	{
		title: 'Migrate CI to larger runners',
		repo: 'infra',
		agent: 'gemini',
		ago: 6 * day,
		isArchived: true,
		turns: [
			[
				'What would larger runners cost and save?',
				'About 220 USD a month more, and builds take 6 minutes instead of 11. At our 900 builds a week that is 75 hours of waiting saved.',
			],
		],
	},
	{
		title: 'Upgrade Postgres to 18',
		repo: 'infra',
		agent: 'claude',
		ago: 8 * day,
		turns: [
			[
				'Test the upgrade of Postgres from 16 to 18 on a copy.',
				bash('./upgrade-copy.sh 18', 'restored 611 GB, pg_upgrade 4 m 12 s, analyze 31 m'),
				'It worked on the copy: four minutes of downtime, then half an hour of slower queries until the statistics are back.',
			],
		],
	},
];

/** Waits for its computer, which is being provisioned. */
export const waiting: SampleSession = {
	title: 'Ask the warehouse for late orders',
	repo: 'warehouse',
	agent: 'claude',
	ago: 1,
	turns: [],
	now: [
		'Which orders of this week will arrive late, and why?',
		bash('uv run query.py late.sql', '1,204 rows', 8),
		'1,204 orders, of which 1,031 wait for one carrier whose depot in Lyon is closed since Monday.',
	],
};
