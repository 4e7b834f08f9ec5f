import type {z} from 'zod';

const kinds: Readonly<Record<string, string>> = {
	boolean: 'true or false',
	number: 'a number',
	int: 'a whole number',
	string: 'text',
	array: 'a list',
	tuple: 'a list',
	object: 'an object',
	record: 'an object',
};

/** What a value must be, for a schema without words of its own: given to `safeParse` as `error`. */
export function schemaWords(issue: z.core.$ZodRawIssue): string | undefined {
	switch (issue.code) {
		case 'invalid_type':
			return issue.input === undefined ? 'is missing' : mustBe(kinds[issue.expected] ?? issue.expected);
		case 'invalid_value':
			return mustBe(`one of ${issue.values.join(', ')}`);
		case 'too_small':
			if (issue.origin === 'string' || issue.origin === 'array') return 'must not be empty';
			return mustBe(`${issue.minimum} or more`);
		case 'too_big':
			return issue.origin === 'number' ? mustBe(`${issue.maximum} or less`) : undefined;
		case 'invalid_union': {
			const firsts = issue.errors.flatMap(([first]) => (first && 'expected' in first ? first.expected : []));
			return mustBe([...new Set(firsts.flatMap(expected => kinds[expected] ?? []))].join(' or '));
		}
		case 'invalid_key':
			return issue.issues[0]?.message;
		case 'unrecognized_keys':
			return `has no ${issue.keys.join(', ')}`;
		default:
			return undefined;
	}
}

const mustBe = (what: string) => `must be ${what}`;
