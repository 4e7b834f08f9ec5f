import fc from 'fast-check';
import {addReads, formatReads, noReads, type Reads, readWhole, sessionOf} from '../support/role-reading.ts';
import {Failures, type Finding, lengthOf, type Part} from './part.ts';

const total = lengthOf('SOAK_ROLE_SESSIONS', 1_000, 20);
/** Sessions up to each length, as many of each. */
const lengths = [10, 100, 1_000, 5_000, 20_000] as const;

/** M1: generated sessions of every length, in both orders, with short, empty and lagging pages. */
export const roleReads: Part = {
	name: 'M1',
	title: 'roles and filtered lists of sessions of 1 to 20,000 messages: none wrong, none missing',
	async run(progress) {
		const failed = new Failures();
		const sums = new Map<number, Reads>(lengths.map(length => [length, noReads()]));
		const seed = Number(process.env.SOAK_SEED ?? Date.now() % 2 ** 31);
		for (let done = 0; done < total; done++) {
			const index = done % lengths.length;
			const max = lengths[index] ?? 1;
			const min = (lengths[index - 1] ?? 0) + 1;
			const [one] = fc.sample(sessionOf(fc.integer({min, max})), {numRuns: 1, seed: seed + done});
			if (!one) continue;
			for (const reads of await readWhole(one)) {
				addReads(sums.get(max) as Reads, reads);
				if (reads.wrong + reads.missing > 0 || reads.requests > reads.allowed)
					failed.add(`${JSON.stringify(one)}: ${formatReads(reads)}`);
			}
			progress(done + 1, total);
		}
		return [
			{what: 'sessions', value: total.toLocaleString('en')},
			...[...sums].map(
				([length, reads]): Finding => ({
					what: `up to ${length.toLocaleString('en')}: ${formatReads(reads)}`,
					value: '',
				}),
			),
			failed.finding('reads with a wrong role, a missing message or too many requests'),
		];
	},
};
