import {bash, edit, grep, type SampleSession} from '../beat.ts';

const hour = 60;
const day = 24 * hour;

/** Sessions at rest, whose answers the user has read. */
export const idle: readonly SampleSession[] = [
	{
		title: 'Idempotency keys for refunds',
		repo: 'payments',
		ago: 52,
		turn: [
			'A refund was paid twice on Friday. How?',
			grep(
				'refund\\(',
				'app/refund/refund.ts:17:export async function refund(order: string, cents: number) {',
			),
			'The request timed out and our client sent it again; nothing tells the provider that both are the same refund. An idempotency key from the order and the refund’s number would.',
		],
	},
	{
		title: 'Search misses umlauts',
		repo: 'storefront',
		ago: 70,
		turn: [
			'Searching for "müsli" finds nothing, "musli" does.',
			bash('curl -s localhost:3000/search?q=m%C3%BCsli | jq length', '0'),
			'The index folds umlauts, the query doesn’t. Folding both with the same function fixes it; I’d add `ß` as well.',
		],
	},
	{
		title: 'Alert on queue age, not length',
		repo: 'infra',
		ago: 95,
		tags: ['oncall'],
		turn: [
			'The queue alert fires every night during the import. Make it useful.',
			edit(
				'alerts/queue.yaml',
				'expr: queue_length > 5000',
				'expr: max(queue_oldest_age_seconds) > 300\n  for: 5m',
			),
			'It looks at the age of the oldest event now: over five minutes, for five minutes. In the last 30 days it would have fired twice, both times for a real outage.',
		],
	},
	{
		title: 'Release notes for 2.14',
		repo: 'docs',
		agent: 'gemini',
		ago: 2 * hour,
		turn: [
			'Draft the release notes for 2.14 from the merged pull requests.',
			bash('git log --oneline v2.13..main | wc -l', '63'),
			'Drafted in `releases/2.14.md`: 4 features, 11 fixes, and one change that needs action (webhooks carry a version). I left out 38 commits that no user notices.',
		],
	},
	{
		title: 'Cache the price rules',
		repo: 'orders',
		agent: 'codex',
		ago: 2.5 * hour,
		turn: [
			'Price rules are read from the database for every line. Cache them for a minute.',
			edit(
				'internal/price/rules.go',
				'return s.db.Rules(ctx, tenant)',
				'return s.cache.Get(ctx, tenant, s.db.Rules)',
			),
			bash('go test -race ./internal/price/...', 'ok  	example.org/orders/internal/price	2.210s'),
			'Cached per tenant for 60 s, with one read at a time. Orders with 50 lines need 18 ms instead of 74.',
		],
	},
	{
		title: 'Accessibility of the size picker',
		repo: 'storefront',
		ago: 3 * hour,
		turn: [
			'A customer can’t choose a size with a screen reader.',
			edit(
				'app/product/size-picker.tsx',
				'<div onClick={choose}>',
				'<label><input type="radio" name="size" onChange={choose} />',
			),
			bash('npx playwright test a11y/product.spec.ts', '  6 passed (8.1s)'),
			'The picker was made of `div`s. It is a radio group now: arrow keys work, and sold-out sizes are announced as such.',
		],
	},
	{
		title: 'Partition the events table',
		repo: 'orders',
		ago: 4 * hour,
		tags: ['migration'],
		turn: [
			'Plan how to partition events by month without downtime.',
			bash('psql $STAGING -c "select pg_size_pretty(pg_total_relation_size(\'events\'))"', '412 GB'),
			'1. Create `events_new`, partitioned, with the same columns.\n2. Write to both by a trigger.\n3. Copy month by month, newest first.\n4. Swap the names in one transaction (under 100 ms).\n5. Drop the old one after a week.\n\nStep 3 takes about nine hours at a load that nobody notices.',
		],
	},
	{
		title: 'Deduplicate supplier feeds',
		repo: 'ingest',
		agent: 'codex',
		ago: 6 * hour,
		turn: [
			'Two suppliers send the same article with different SKUs. Find duplicates by EAN.',
			bash(
				'cargo run --release --bin dedup -- --report',
				'18,402 groups, 39,117 items, 211 with conflicting prices',
			),
			'39,117 items in 18,402 groups. 211 groups have prices that differ by more than a tenth: those need a person, and are in `conflicts.csv`.',
		],
	},
	{
		title: 'Gift cards over several orders',
		repo: 'payments',
		ago: 9 * hour,
		turn: [
			'Let a gift card pay for several orders.',
			edit('app/gift/redeem.ts', 'card.isUsed = true', 'card.left -= cents'),
			bash('npx vitest run app/gift', '      Tests  41 passed (41)'),
			'A card has a balance now. Two orders at once can’t both take the last cent: the update checks what is left in the same statement.',
		],
	},
	{
		title: 'Image sizes for retina screens',
		repo: 'storefront',
		agent: 'codex',
		ago: 20 * hour,
		turn: [
			'Product images are blurry on new phones.',
			edit(
				'app/product/image.tsx',
				'srcSet={sized(url, 800)}',
				'srcSet={[sized(url, 800), sized(url, 1600)].join()}',
			),
			'Images come in two sizes. A product page grows by 90 KiB on such phones, and by nothing on others.',
		],
	},
	{
		title: 'Trace ids in the logs',
		repo: 'orders',
		agent: 'gemini',
		ago: day,
		turn: [
			'Put the trace id into every log line.',
			bash('go vet ./... && go test ./internal/log/...', 'ok  	example.org/orders/internal/log	0.412s'),
			'Each line has `trace_id`, taken from the context. 14 places logged without a context; they have one now.',
		],
	},
	{
		title: 'Validate supplier prices',
		repo: 'ingest',
		ago: 1.8 * day,
		turn: [
			'A supplier sent prices in cents instead of euros. Catch that.',
			'A feed whose median price moves by more than a factor of five is held, and its supplier’s contact gets a mail with ten examples. Yesterday’s feed would have been held.',
		],
	},
	{
		title: 'Remove the old checkout',
		repo: 'storefront',
		ago: 4 * day,
		isArchived: true,
		turn: [
			'Nobody uses the old checkout any more. Remove it.',
			bash('git diff --shortstat main', ' 61 files changed, 88 insertions(+), 7,412 deletions(-)'),
			'7,412 lines are gone. Two pages still linked to it; they link to the new one.',
		],
	},
	{
		title: 'Upgrade Postgres to 18',
		repo: 'infra',
		ago: 8 * day,
		turn: [
			'Test the upgrade of Postgres from 16 to 18 on a copy.',
			bash('./upgrade-copy.sh 18', 'restored 611 GB, pg_upgrade 4 m 12 s, analyze 31 m'),
			'It worked on the copy: four minutes of downtime, then half an hour of slower queries until the statistics are back.',
		],
	},
	{
		title: 'Round refunds like the invoice',
		repo: 'payments',
		ago: 9 * day,
		turn: [
			'The refund of order 8812 is one cent more than its invoice. Why?',
			'The invoice rounds each line, the refund only the sum. I would round the lines in both, as the law asks for the invoice.',
		],
	},
	{
		title: 'Quiet the build log',
		repo: 'mobile',
		ago: 9 * day,
		turn: [
			'The build prints 4,000 lines of warnings. Which of them matter?',
			'Two: a deprecated camera call that iOS 27 removes, and a font that is missing in release builds. The rest comes from three generated files.',
		],
	},
	{
		title: 'Who still calls v1?',
		repo: 'orders',
		ago: 10 * day,
		turn: [
			'Can we turn off the old API on the first of the month?',
			'Not yet: two partners still send 3 % of the orders to v1, both from one library version. Their contacts are in `docs/partners.md`.',
		],
	},
	{
		title: 'Name the regions in one place',
		repo: 'infra',
		ago: 11 * day,
		turn: [
			'Region names are spelled five ways in our Terraform. Unify them.',
			'They come from one map in `regions.tf` now, and `terraform plan` shows no change.',
		],
	},
	{
		title: 'Explain the retry budget',
		repo: 'docs',
		ago: 12 * day,
		turn: [
			'Write a page on our retry budget that a new colleague understands.',
			'`guides/retry-budget.md`: one page, with last spring’s outage as the example. Ines has read it.',
		],
	},
	{
		title: 'Compress the event archive',
		repo: 'ingest',
		ago: 13 * day,
		turn: [
			'How much would zstd save on the event archive?',
			'61 % against gzip at the same speed of reading: 4.1 TB less, about 95 € a month.',
		],
	},
	{
		title: 'Keyboard trap in the date picker',
		repo: 'storefront',
		ago: 14 * day,
		tags: ['accessibility'],
		turn: [
			'Tab doesn’t leave the date picker. Fix it.',
			'The picker took every key while it was open. It lets Tab and Escape through now, and a test presses both.',
		],
	},
	{
		title: 'Explainable scores for support',
		repo: 'ranking',
		ago: 15 * day,
		turn: [
			'Support asks why a product is ranked low. What can we show them?',
			'The five features that cost it most, from the tree’s own paths. Computing them takes 2 ms for one product, so the admin page can ask for it.',
		],
	},
	{
		title: 'Rename plan B to Team',
		repo: 'payments',
		ago: 17 * day,
		turn: [
			'Rename the plan everywhere a customer sees it, but not in the API.',
			'31 texts, two e-mails and one PDF. The API and the database still say `plan_b`.',
		],
	},
	{
		title: 'Retire the nightly export',
		repo: 'ingest',
		ago: 19 * day,
		turn: [
			'Does anybody still use the nightly CSV export?',
			'The bucket’s log has one reader since June: our own monitor. I would announce it and stop it in a month.',
		],
	},
];

/** Waits for its computer, which is being provisioned. */
export const waiting: SampleSession = {
	title: 'Ask the warehouse for late orders',
	repo: 'warehouse',
	ago: 1,
	now: [
		'Which orders of this week will arrive late, and why?',
		bash('uv run query.py late.sql', '1,204 rows', 8),
		'1,204 orders, of which 1,031 wait for one carrier whose depot in Lyon is closed since Monday.',
	],
};
