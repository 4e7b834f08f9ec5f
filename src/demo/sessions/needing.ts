import {noOption, onceOption, questionOptions} from '../../domain/sessions/agent-request.ts';
import {bash, edit, failing, grep, read, type SampleSession} from '../beat.ts';

const always = (rule: string) => ({
	word: 'always',
	label: 'allow always',
	allows: true,
	changes: [`allow ${rule} without asking, in this session`],
});

/** Sessions that need the user: they ask, failed, or have an answer that nobody has read. */
export const needing: readonly SampleSession[] = [
	{
		title: 'Retry webhooks with back-off',
		repo: 'orders',
		ago: 3,
		isPinned: true,
		tags: ['oncall'],
		branch: {
			name: 'webhook-retry',
			files: {
				'internal/webhook/retry.go': `package webhook

import (
	"math/rand"
	"time"
)

const (
	firstDelay  = 2 * time.Second
	maxDelay    = 15 * time.Minute
	maxAttempts = 12
)

// Delay returns how long to wait before the given attempt, with full jitter.
func Delay(attempt int) time.Duration {
	limit := firstDelay << min(attempt, 9)
	if limit > maxDelay {
		limit = maxDelay
	}
	return time.Duration(rand.Int63n(int64(limit)))
}
`,
			},
		},
		turn: [
			'Merchants miss webhooks when their endpoint is down for more than a minute. Find out what we do today.',
			grep(
				'deliver\\(',
				'internal/webhook/sender.go:41:func (s *Sender) deliver(ctx context.Context, e Event) error {\ninternal/webhook/worker.go:88:		if err := w.sender.deliver(ctx, e); err != nil {',
			),
			read(
				'internal/webhook/worker.go',
				'	for attempt := 0; attempt < 3; attempt++ {\n		if err := w.sender.deliver(ctx, e); err != nil {\n			time.Sleep(20 * time.Second)\n			continue\n		}\n		return nil\n	}\n	return w.store.MarkDead(ctx, e.ID)',
			),
			bash(
				'psql $STAGING -c "select date(created_at), count(*) from events where state = \'dead\' group by 1 order by 1 desc limit 4"',
				'    date    | count\n------------+-------\n 2026-11-29 |   412\n 2026-11-28 |    96\n 2026-11-27 |   131\n 2026-11-26 |    88',
			),
			`We try three times, **20 seconds apart**, and then mark the event dead. So any outage over a minute loses events.

| Day | Dead events | Merchants |
| --- | ---: | ---: |
| Nov 29 | 412 | 9 |
| Nov 28 | 96 | 4 |
| Nov 27 | 131 | 5 |
| Nov 26 | 88 | 3 |

Two things stand out:

- The worker *sleeps* between attempts, so one slow merchant holds up all others on that worker.
- \`MarkDead\` sends no alert, and nothing replays dead events.

I'd use exponential back-off with jitter, up to 12 attempts over about three hours, and put the event back in the queue instead of sleeping.`,
		],
		now: [
			'Do that. Keep the queue schema as it is if you can.',
			{
				thought:
					'The queue has a visible_at column already. If the retry sets it and returns, the worker is free at once and no migration is needed.',
			},
			read(
				'internal/webhook/queue.go',
				'// Take returns the oldest event with visible_at <= now().\nfunc (q *Queue) Take(ctx context.Context) (Event, error) {',
			),
			`\`visible_at\` is there already, so no migration is needed: a failed attempt sets it and returns.

\`\`\`go
func Delay(attempt int) time.Duration {
	limit := firstDelay << min(attempt, 9)
	if limit > maxDelay {
		limit = maxDelay
	}
	return time.Duration(rand.Int63n(int64(limit)))
}
\`\`\`

The worker no longer sleeps:`,
			{
				ask: {
					kind: 'permission',
					tool: 'Edit',
					text: `--- internal/webhook/worker.go
+++ internal/webhook/worker.go
@@ -84,14 +84,14 @@ func (w *Worker) handle(ctx context.Context, e Event) error {
-	for attempt := 0; attempt < 3; attempt++ {
-		if err := w.sender.deliver(ctx, e); err != nil {
-			time.Sleep(20 * time.Second)
-			continue
-		}
-		return nil
+	err := w.sender.deliver(ctx, e)
+	if err == nil {
+		return w.queue.Done(ctx, e.ID)
 	}
-	return w.store.MarkDead(ctx, e.ID)
+	if e.Attempt+1 >= maxAttempts {
+		w.alerts.DeadEvent(ctx, e, err)
+		return w.store.MarkDead(ctx, e.ID)
+	}
+	return w.queue.Retry(ctx, e.ID, time.Now().Add(Delay(e.Attempt)))
 }
`,
					options: [onceOption, always('Edit in ~/orders'), noOption],
				},
				allowed: [
					{
						...edit(
							'internal/webhook/worker.go',
							'time.Sleep(20 * time.Second)',
							'w.queue.Retry(ctx, e.ID, …)',
						),
						seconds: 1,
					},
					bash(
						'go test ./internal/webhook/...',
						'ok  	example.org/orders/internal/webhook	4.102s\nok  	example.org/orders/internal/webhook/queue	1.377s',
						6,
					),
					'Done. The worker takes the next event at once, and a dead event raises an alert. All tests of the package pass; I added one with a merchant that is down for two hours.',
				],
				denied: ['Then I leave the worker as it is. Tell me how the retry should look, and I begin there.'],
			},
		],
	},
	{
		title: 'Round line items like the tax office',
		repo: 'payments',
		ago: 9,
		turn: [
			'Finance says our VAT is off by a cent on some invoices. Reproduce it.',
			bash(
				'npx vitest run app/invoice/vat.test.ts',
				' FAIL  app/invoice/vat.test.ts > 3 × 9.99 at 19 %\nAssertionError: expected 5.70 to be 5.69',
			),
			'Reproduced: with three items of 9.99 at 19 %, we add up rounded lines (3 × 1.90 = 5.70), and finance rounds the sum (5.6943 → 5.69).',
		],
		now: [
			'Fix it so that both agree.',
			grep(
				'roundCents',
				'app/invoice/vat.ts:22:	const tax = roundCents(line.net * line.rate);\napp/invoice/total.ts:31:	return roundCents(net + tax);',
			),
			'Both ways are legal, but they mustn’t be mixed, and 1,204 invoices of this year were sent with the old one.',
			{
				ask: {
					kind: 'question',
					tool: '',
					text: 'Which invoices should the new rounding apply to?\n\n- From now on only: Sent invoices keep their cent; the two ways are told apart by date\n- All open ones, too: 37 unpaid invoices change by a cent and are sent again',
					options: questionOptions,
					questions: [
						{
							text: 'Which invoices should the new rounding apply to?',
							choices: [
								{
									label: 'From now on only',
									description: 'Sent invoices keep their cent; the two ways are told apart by date',
								},
								{
									label: 'All open ones, too',
									description: '37 unpaid invoices change by a cent and are sent again',
								},
							],
						},
					],
				},
				allowed: [
					edit('app/invoice/vat.ts', 'roundCents(line.net * line.rate)', 'line.net * line.rate'),
					bash('npx vitest run app/invoice', ' Test Files  6 passed (6)\n      Tests  88 passed (88)', 5),
					'Changed as you said: tax is rounded once, on the sum. 88 tests pass, among them the one that finance sent.',
				],
				denied: ['I leave the rounding as it is until finance has decided.'],
			},
		],
	},
	{
		title: 'Drop the unused staging cluster',
		repo: 'infra',
		agent: 'codex',
		ago: 14,
		tags: ['cost'],
		turn: [
			'What do we still run in eu-west-3, and who uses it?',
			bash(
				'terraform -chdir=eu-west-3 state list',
				'aws_eks_cluster.staging_old\naws_eks_node_group.staging_old\naws_db_instance.staging_old\naws_s3_bucket.staging_old_backups',
			),
			'Only `staging_old`: a cluster with six nodes, a database and a bucket. Nobody has deployed to it since June, and no DNS name points there. It costs about **1,140 USD a month**.',
		],
		now: [
			'Plan to remove all but the bucket.',
			bash('terraform -chdir=eu-west-3 plan -out=drop.plan', 'Plan: 0 to add, 0 to change, 3 to destroy.', 7),
			'The plan destroys the cluster, its nodes and the database, and keeps the bucket. The last snapshot of the database is from this morning.',
			{
				ask: {
					kind: 'permission',
					tool: 'Bash',
					text: 'terraform -chdir=eu-west-3 apply drop.plan',
					warnings: [],
					options: [onceOption, noOption],
				},
				allowed: [
					bash('terraform -chdir=eu-west-3 apply drop.plan', 'Destroy complete! Resources: 3 destroyed.', 9),
					'All three are gone. The bucket with the backups is still there.',
				],
				denied: ['Nothing was destroyed. The plan is in `eu-west-3/drop.plan`.'],
			},
		],
	},
	{
		title: 'Speed up the checkout page',
		repo: 'storefront',
		mode: 'plan',
		ago: 21,
		now: [
			'Checkout takes 4 s on a slow phone. Make a plan to get below 2 s.',
			bash(
				'npx lighthouse http://localhost:3000/checkout --preset=perf --quiet',
				'Largest Contentful Paint: 4.1 s\nTotal Blocking Time: 890 ms\nUnused JavaScript: 412 KiB',
				8,
			),
			{
				ask: {
					kind: 'permission',
					tool: 'ExitPlanMode',
					isPlan: true,
					text: `# Checkout below 2 s

1. **Load the map only when an address is typed.** It is 240 KiB, and two thirds of buyers never see it.
2. **Inline the critical CSS** of the first screen (6 KiB).
3. **Ask for payment methods and shipping at once**, not one after the other: saves 600 ms on 3G.
4. Measure again with the same profile, and add a budget of 2 s to CI.

No visible change. Steps 1 and 3 bring most of it.`,
					options: [onceOption, noOption],
				},
				allowed: [
					edit(
						'app/checkout/address.tsx',
						"import {Map} from '../map';",
						"const Map = lazy(() => import('../map'));",
					),
					edit(
						'app/checkout/load.ts',
						'const methods = await getMethods();',
						'const [methods, rates] = await Promise.all([getMethods(), getRates()]);',
					),
					bash(
						'npx lighthouse http://localhost:3000/checkout --preset=perf --quiet',
						'Largest Contentful Paint: 1.7 s\nTotal Blocking Time: 210 ms',
						8,
					),
					'**1.7 s** instead of 4.1 s, with the first three steps. CI now fails above 2 s.',
				],
				denied: ['Then tell me what to leave out, and I plan again.'],
			},
		],
	},
	{
		title: 'Train the ranker on returns, too',
		repo: 'ranking',
		ago: 34,
		isUnread: true,
		turn: [
			'Add returned orders as negative examples and train on last quarter.',
			bash('uv run scripts/features.py --quarter 2026Q3', 'wrote 8,214,006 rows to data/2026q3.parquet', 9),
			failing(
				'uv run train.py --config configs/returns.yaml',
				'epoch 1/12  loss 0.4127\nepoch 2/12  loss 0.3981\nRuntimeError: CUDA error: out of memory (tried to allocate 2.40 GiB)',
				9,
			),
			{failure: 'API Error: 529 overloaded_error: the model is overloaded. Try again in a few minutes.'},
		],
	},
	{
		title: 'Why does the nightly import time out?',
		repo: 'ingest',
		agent: 'codex',
		ago: 47,
		isUnread: true,
		turn: [
			'The import of the Nordic catalog has timed out three nights in a row.',
			bash(
				'cargo run --release --bin profile -- nordic.ndjson',
				'parse 11.2 s\nvalidate 9.8 s\nupsert 1,904.6 s',
				9,
			),
			{failure: 'stream disconnected before completion: the connection to the model was closed'},
		],
	},
	{
		title: 'Flaky login test',
		repo: 'storefront',
		ago: 6,
		isUnread: true,
		branch: {
			name: 'flaky-login',
			files: {
				'test/login.test.ts': `import {expect, test, vi} from 'vitest';
import {login} from 'harbor/login';

test('a session ends after an hour', async () => {
	vi.useFakeTimers();
	const session = await login('ann', 'correct horse');
	await vi.advanceTimersByTimeAsync(3_600_000);
	expect(session.isOpen).toBe(false);
});
`,
			},
		},
		turn: [
			'The login test fails about once in twenty runs on CI. Find out why.',
			bash(
				'for i in $(seq 40); do npx vitest run test/login.test.ts --silent || echo FAILED $i; done',
				'FAILED 7\nFAILED 31',
				9,
			),
			read(
				'test/login.test.ts',
				"test('a session ends after an hour', async () => {\n	const session = await login('ann', 'correct horse');\n	vi.useFakeTimers();\n	vi.advanceTimersByTime(3_600_000);",
			),
			edit(
				'test/login.test.ts',
				"	const session = await login('ann', 'correct horse');\n	vi.useFakeTimers();",
				"	vi.useFakeTimers();\n	const session = await login('ann', 'correct horse');",
			),
			bash(
				'for i in $(seq 200); do npx vitest run test/login.test.ts --silent || echo FAILED $i; done',
				'',
				9,
			),
			'The session’s timer was sometimes created **before** the fake clock was, and then it never fired. The clock is installed first now: 200 runs without a failure. The change is on `flaky-login`.',
		],
	},
	{
		title: 'Dark mode in the mail templates',
		repo: 'storefront',
		agent: 'gemini',
		ago: 18,
		isUnread: true,
		turn: [
			'Order mails are unreadable in dark mode in Outlook. Can you fix the template?',
			edit(
				'mail/order.html',
				'<td style="color:#111">',
				'<td style="color:#111;background:#fff" bgcolor="#ffffff">',
			),
			'Outlook inverts text but not backgrounds that are inherited. Every cell of `order.html` sets both now. I checked the rendering in light and dark; the other five templates have the same problem. Shall I change them as well?',
		],
	},
	{
		title: 'Backfill tenant ids',
		repo: 'orders',
		ago: 26,
		isUnread: true,
		tags: ['migration'],
		turn: [
			'Backfill tenant_id on orders in staging, in batches.',
			bash(
				'go run ./cmd/backfill --table orders --batch 5000 --dry-run',
				'would update 1,248,002 rows in 250 batches',
			),
			bash(
				'go run ./cmd/backfill --table orders --batch 5000',
				'250 of 250 batches, 1,248,002 rows, 41 s, no lock over 90 ms',
				9,
			),
			`Staging is done: 1,248,002 rows in 41 s, and no lock was held for more than 90 ms.

\`\`\`sql
ALTER TABLE orders ALTER COLUMN tenant_id SET NOT NULL;
\`\`\`

is safe to run next. For production I suggest the same batches at night, at half the speed.`,
		],
	},
];
