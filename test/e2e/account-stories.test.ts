import fc from 'fast-check';
import {test} from 'vitest';
import {checked} from '../support/account-stories/leaks.ts';
import {type deeds, done, type Step} from '../support/account-stories/steps.ts';
import {type Story, tell} from '../support/account-stories/story.ts';

/** For as many minutes as SOAK_ACCOUNT_MINUTES says (part A1 of the soak), or once. */
const minutes = Number(process.env.SOAK_ACCOUNT_MINUTES ?? 0);
/**
 * Most of a story is waiting: so many are told side by side in the soak, each with a state folder and services of its
 * own.
 */
const together = minutes > 0 ? 8 : 1;
const rounds = minutes > 0 ? 8 : 3;

const rarely = ['kill', 'send', 'rotate'] as const;
const often = ['list', 'read', 'pages', 'sender', 'screen', 'forget', 'use'] as const;

const step: fc.Arbitrary<Step> = fc.record({
	who: fc.nat(2),
	what: fc.constantFrom<keyof typeof deeds>(...rarely, ...often, ...often),
	fault: fc.constantFrom(undefined, undefined, undefined, 'lost', 'refused', 'down', 'cut'),
	trouble: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, 'down', 'cut'),
	isShared: fc.boolean(),
	pick: fc.nat(1000),
});

/** One screen at most is driven at a time. */
const round = fc
	.array(step, {minLength: 1, maxLength: 3})
	.map(steps =>
		steps.filter(({what}, index) => what !== 'screen' || steps.findIndex(one => one.what === what) === index),
	);

const story: fc.Arbitrary<Story> = fc.record({
	members: fc.array(fc.boolean(), {minLength: 3, maxLength: 3}),
	rounds: fc.array(round, {minLength: rounds, maxLength: rounds}),
});

test(
	'two services, three keys, one state folder: whatever happens, nothing crosses and nothing is lost',
	async () => {
		let told = 0;
		const stories = fc.asyncProperty(
			fc.array(story, {minLength: together, maxLength: together}),
			async batch => {
				const ends = await Promise.allSettled(batch.map(tell));
				told += batch.length;
				for (const end of ends) if (end.status === 'rejected') throw end.reason;
			},
		);
		const end = performance.now() + minutes * 60_000;
		try {
			do await fc.assert(stories, {numRuns: 1, endOnFailure: true});
			while (performance.now() < end);
		} finally {
			process.stdout.write(`counts ${JSON.stringify({stories: told, ...done, ...checked})}\n`);
		}
	},
	(minutes + 4) * 60_000,
);
