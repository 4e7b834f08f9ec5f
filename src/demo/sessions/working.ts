import {bash, edit, failing, grep, read, type SampleSession} from '../beat.ts';

export const working: readonly SampleSession[] = [
	{
		title: 'Split the orders service',
		repo: 'orders',
		mode: 'accept-edits',
		ago: 12,
		tags: ['q4'],
		branch: {
			name: 'split-fulfilment',
			files: {
				'internal/fulfilment/fulfilment.go': `package fulfilment

import "context"

// Store is what fulfilment needs of orders; nothing else crosses the line.
type Store interface {
	Paid(ctx context.Context, id string) (bool, error)
	Ship(ctx context.Context, id string) error
}
`,
			},
		},
		turn: [
			'Which packages would move if fulfilment became its own service?',
			bash(
				'go list -deps ./internal/fulfilment/... | grep example.org',
				'example.org/orders/internal/fulfilment\nexample.org/orders/internal/stock\nexample.org/orders/internal/events',
			),
			'Three: `fulfilment`, `stock` and the publisher in `events`. Only two functions of `orders` call into them, so an interface with two methods is enough as a first step.',
		],
		now: [
			'Do the first step: an interface, no second service yet.',
			grep(
				'fulfilment\\.',
				'internal/orders/place.go:61:	return fulfilment.Ship(ctx, o.ID)\ninternal/orders/cancel.go:34:	if fulfilment.Shipped(ctx, o.ID) {',
			),
			'Two callers, as expected. I put the interface beside them, so that `orders` doesn’t import `fulfilment` any more.',
			edit(
				'internal/orders/place.go',
				'return fulfilment.Ship(ctx, o.ID)',
				'return s.fulfilment.Ship(ctx, o.ID)',
			),
			edit('internal/orders/cancel.go', 'fulfilment.Shipped(ctx, o.ID)', 's.fulfilment.Shipped(ctx, o.ID)'),
			bash('go build ./...', '', 14),
			bash(
				'go test ./...',
				'ok  	example.org/orders/internal/orders	12.4s\nok  	example.org/orders/internal/fulfilment	3.0s\nok  	example.org/orders/internal/stock	0.8s',
				45,
			),
			'`orders` compiles without `fulfilment`, and all tests pass. The next step would be a process of its own behind the same interface.',
		],
	},
	{
		title: 'Upgrade React to 19',
		repo: 'storefront',
		ago: 16,
		turn: [
			'Which of our packages block React 19?',
			bash('npm ls react --depth=1', 'react-datepicker@4.8.0 → react@18\nreact-modal@3.16.1 → react@18'),
			'Two: `react-datepicker` and `react-modal`. Both have releases that take 19.',
		],
		now: [
			'Go ahead with the upgrade.',
			bash(
				'npm install react@19 react-dom@19 react-datepicker@8 react-modal@3.17',
				'changed 14 packages in 9s',
				9,
			),
			bash(
				'npx tsc --noEmit',
				'app/cart/cart.tsx(18,3): error TS2322\napp/menu/menu.tsx(44,9): error TS2322\nFound 2 errors.',
				12,
			),
			'Two string refs are left; React 19 has removed them.',
			edit('app/cart/cart.tsx', 'ref="list"', 'ref={list}'),
			edit('app/menu/menu.tsx', 'ref="open"', 'ref={open}'),
			bash('npm test', ' Test Files  141 passed (141)\n      Tests  1,902 passed (1,902)', 60),
			'React 19 is in, and all 1,902 tests pass. Only the date picker looks different: its arrows are 2 px lower.',
		],
	},
	{
		title: 'Compare two embedding models',
		repo: 'ranking',
		agent: 'codex',
		ago: 25,
		now: [
			'Compare the 384 and 768 dimension models on the click set: recall and cost.',
			bash('uv run eval.py --model small-384', 'recall@10 0.812   p95 11 ms   1.9 GB', 30),
			bash('uv run eval.py --model base-768', 'recall@10 0.829   p95 19 ms   3.8 GB', 40),
			`| Model | Recall@10 | p95 | Index |
| --- | ---: | ---: | ---: |
| small-384 | 0.812 | 11 ms | 1.9 GB |
| base-768 | 0.829 | 19 ms | 3.8 GB |

1.7 points more recall for twice the memory. I'd stay with 384 and spend the effort on the reranker.`,
		],
	},
	{
		title: 'Cold start of the iOS app',
		repo: 'mobile',
		ago: 8,
		turn: [
			'Where does the cold start go?',
			bash(
				'xcrun xctrace record --template "App Launch" --launch Harbor.app',
				'launch 1,840 ms: dyld 310, main 220, first frame 1,310',
				9,
			),
			'Two thirds of the 1.8 s are between `main` and the first frame: the catalog is decoded on the main thread.',
		],
		now: [
			'Move the decoding off the main thread.',
			read(
				'Sources/Catalog/CatalogStore.swift',
				'func load() throws -> Catalog {\n	try JSONDecoder().decode(Catalog.self, from: Data(contentsOf: url))\n}',
			),
			edit(
				'Sources/Catalog/CatalogStore.swift',
				'func load() throws -> Catalog {',
				'func load() async throws -> Catalog {',
			),
			failing(
				'xcodebuild test -scheme Harbor -quiet',
				"CatalogStoreTests.swift:19: error: call is 'async' but is not marked with 'await'",
				25,
			),
			edit('Tests/CatalogStoreTests.swift', 'try store.load()', 'try await store.load()'),
			bash('xcodebuild test -scheme Harbor -quiet', '** TEST SUCCEEDED ** (212 tests)', 50),
			'First frame after **640 ms** instead of 1,310 on an iPhone 12. The catalog appears 200 ms later, as before.',
		],
	},
	{
		title: 'Parse feeds without copying',
		repo: 'ingest',
		agent: 'codex',
		mode: 'accept-edits',
		ago: 31,
		now: [
			'The parser copies every string. Borrow from the buffer where we can.',
			bash('cargo bench --bench parse', 'parse/nordic  time: [11.21 s 11.24 s 11.30 s]', 25),
			edit(
				'app/parse.rs',
				'pub struct Item {\n    pub sku: String,',
				"pub struct Item<'a> {\n    pub sku: Cow<'a, str>,",
			),
			bash('cargo test', 'test result: ok. 96 passed; 0 failed', 20),
			bash(
				'cargo bench --bench parse',
				'parse/nordic  time: [6.02 s 6.05 s 6.11 s]\n              change: [-46.4 % -46.2 % -45.9 %]',
				35,
			),
			'46 % faster: 6.05 s instead of 11.24 s. Only strings with escapes are still copied.',
		],
	},
	{
		title: 'Load test for the sale',
		repo: 'infra',
		ago: 5,
		tags: ['q4', 'oncall'],
		now: [
			'Simulate the sale: 4,000 checkouts a minute for ten minutes against staging.',
			bash(
				'k6 run --vus 400 --duration 10m load/checkout.js',
				'checks 99.94 %   p95 412 ms   max 2.1 s   http_req_failed 0.06 %',
				150,
			),
			'Staging holds 4,000 checkouts a minute: p95 is 412 ms, and 0.06 % failed, all of them in the first 20 s while the autoscaler added nodes. I would scale up by hand an hour before.',
		],
	},
];
