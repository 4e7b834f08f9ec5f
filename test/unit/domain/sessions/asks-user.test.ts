import {expect, test} from 'vitest';
import {asksUser} from '../../../../src/domain/sessions/asks-user.ts';

const asking = [
	'All 214 tests pass.\n\nShould I also remove the old migration?',
	'I found two ways to fix this:\n\n1. Retry in the client\n2. Raise the timeout on the server\n\nWhich one do you want?',
	'Which approach do you prefer?\n\n- **Rewrite** the parser: clean, two days\n- **Patch** it: quick, but the grammar stays\n  ambiguous in three places\n- Leave it',
	'The build is green. Do you want me to push this? Let me know and I will proceed.',
	'**Which database should I use?** I lean toward SQLite, because nothing else writes to it.',
	'Before I start, I have two questions.\n\n- Which region should it run in?\n- Do you need backups?\n\nOnce I know, I can write the module.',
	'I need a token with write access to publish. Please provide one, or tell me how you publish today.',
	'The migration drops `users.legacy_id`. I will not run it without your approval.',
	'Should I apply this patch?\n\n```diff\n-const a = 1;\n+const a = 2;\n```',
	'The config has `retries: 0`. Is that correct? If so, I will leave it.',
	'I cannot reproduce it here.\n\nCould you run this and paste the output?\n\n```sh\nnode --version\n```\n\nI think the version matters.',
	'How would you like to proceed?\n\n**Option A: Keep the flag.** No change for users.\n\n**Option B: Drop the flag.** Less code.\n\nI recommend option A.',
	'両方の実装を確認しました。\n\nどちらを使用しますか？',
	'変更は三つのファイルに及びます。このまま進めてもよろしいでしょうか。',
	'تم العثور على ملفين. هل تريد أن أحذف الملف القديم؟',
	'Packages to upgrade: 42\nDo you want to continue? [Y/n] ',
	'The lint rule fires in 31 places.\n\nWant me to fix them all? (Most are one-line changes.)',
	'To publish I need your account id and the target region.',
	'Does this plan look good? I will start as soon as you confirm.',
	'I could also use a trigger instead of a cron job. Thoughts?',
	'I could not decide from the ticket (did you mean the admin page or the public one?)',
];

const notAsking = [
	'Done. All 214 tests pass.',
	'I fixed the race in `Scheduler.run` and added a test. Let me know if you have any questions!',
	'The branch is pushed. Is there anything else I can help you with?',
	'Next steps:\n\n1. Run the migration\n2. Deploy\n3. Remove the flag',
	'What changed?\n\n- `a.ts`: the cursor is opaque now\n- `b.ts`: the limit is a string',
	'Why did it fail? The cache was stale: its key left out the branch. I cleared it, and CI is green.',
	'You may ask: should we worry about the lock? No, it is released when the process ends.',
	'The pattern accepts both spellings:\n\n```\ncolou?r\nhttps?\n```',
	'Use this glob:\n\n    src/**/*.tsx?\n    is it enough?',
	'The dialog now says "Do you want to delete this file?"',
	'How do you run it?\n\n```sh\nnpm ci && npm start\n```',
	'How do I undo it?\n\n1. Open the settings\n2. Select Restore',
	'If you want, I can also add a benchmark. Otherwise this is finished.',
	'The endpoint now replies with 200 and an empty body. Please note that the old one still works until May.',
	'| File | Lines |\n|---|---|\n| a.ts | 12 |\n| b.ts | 40 |',
	'Should I have kept the flag? In the end I removed it, since nothing reads it.',
	'This is what you want:\n\n- a key\n- a region',
	'The app never records without your permission.',
	'I need to know the id only once, so it is cached.',
	"I've updated the README. Let me know if you'd like any changes.",
	"If you'd like me to continue with the remaining files, just say so.",
	'### FAQ\n\n**Can I use it with Node 18?**\n\nNo, it needs 20.',
	'The prompt reads "Overwrite the file? [y/N]" and defaults to no.',
	'',
	'```\nWhich one?\n```',
];

test.each(asking)('asks: %s', text => {
	expect(asksUser(text)).toBe(true);
});

test.each(notAsking)('does not ask: %s', text => {
	expect(asksUser(text)).toBe(false);
});

test.each([
	['full-width', '？'],
	['Arabic', '؟'],
	['Greek', '\u037e'],
	['reversed', '⸮'],
	['with an exclamation mark', '?!'],
	['with a space before it', ' ?'],
	['in bold', '?**'],
	['in italics', '?_'],
	['in parentheses', '?)'],
	['before an emoji', '? 👇'],
	['before a rule', '?\n\n---\n'],
])('recognizes a question mark: %s', (_name, end) => {
	expect(asksUser(`One is left.\n\nКакой вариант выбрать${end}`)).toBe(true);
});

test('handles Windows line ends, and a question wrapped over lines', () => {
	expect(asksUser('Done.\r\n\r\nShould I push\r\nit now?\r\n')).toBe(true);
	expect(
		asksUser('Do you want me to delete the branch? I think nobody\nhas used it since the release.'),
	).toBe(true);
});

test('only the end counts: a question before the rest of the work does not ask', () => {
	expect(asksUser('Should I start with the tests?\n\nThe tests are in place now, and all pass.')).toBe(false);
	expect(asksUser(`Do you agree? ${'I think so. '.repeat(8)}`)).toBe(false);
});
