import type {ContentItem} from '../../src/domain/messages/message.ts';

const typescript = `\`\`\`ts
export async function retry<T>(call: () => Promise<T>, times = 3): Promise<T> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await call();
		} catch (error) {
			if (attempt === times) throw error;
			await wait(2 ** attempt * 100); // back off
		}
	}
}
\`\`\``;

const python = `\`\`\`python
def parse(line: str) -> dict[str, int]:
    """Counts by name."""
    name, _, count = line.partition("=")
    return {name.strip(): int(count or 0)}
\`\`\``;

const sql = `\`\`\`sql
SELECT user_id, count(*) AS sends FROM posts
WHERE created_at > now() - interval '7 days' GROUP BY user_id ORDER BY 2 DESC;
\`\`\``;

const table = `| File | Tests | Result |
| --- | ---: | --- |
| \`src/retry.ts\` | 12 | ✅ passed |
| \`src/parse.py\` | 4 | ❌ one failed |
| \`docs/使い方.md\` | 0 | — |`;

type Turn = {readonly role: 'user' | 'assistant' | 'tool'; readonly content: readonly ContentItem[]};

const say = (text: string): ContentItem => ({type: 'text', text});

/** A turn as agents write them: code in three languages, tools, a table, ✅ and Chinese, Japanese and Korean. */
const turns: readonly ((number: number) => Turn)[] = [
	number => ({
		role: 'user',
		content: [say(`${number} リトライの処理を直して、then run the tests. 테스트도.`)],
	}),
	number => ({
		role: 'assistant',
		content: [
			say(`${number} I'll read \`src/retry.ts\` first.`),
			{type: 'tool_use', id: `tool-${number}`, name: 'Read', input: {file_path: '/work/src/retry.ts'}},
		],
	}),
	number => ({
		role: 'tool',
		content: [
			{
				type: 'tool_result',
				tool_use_id: `tool-${number - 1}`,
				content: '     1\texport async function retry() {}\n     2\t// 重试三次\n',
			},
		],
	}),
	number => ({
		role: 'assistant',
		content: [
			say(`${number} The loop **never waits**. This one backs off:\n\n${typescript}\n\n${python}`),
			{type: 'tool_use', id: `tool-${number}`, name: 'Bash', input: {command: 'npm test -- retry'}},
		],
	}),
	number => ({
		role: 'tool',
		content: [
			{
				type: 'tool_result',
				tool_use_id: `tool-${number - 1}`,
				content:
					'\u001b[32m✓\u001b[39m src/retry.test.ts (12 tests) 340ms\n\u001b[31m✗\u001b[39m src/parse_test.py',
			},
		],
	}),
	number => ({
		role: 'assistant',
		content: [say(`${number} Done ✅\n\n${table}\n\n${sql}\n\n1. retries wait\n2. 解析器は次に直します 🎉`)],
	}),
];

/** The message of a number, ms since 1970 in `createdAt`. */
export function agentMessage(number: number, createdAt: number) {
	const {role, content} = (turns[number % turns.length] as (typeof turns)[number])(number);
	return {message: {id: `message-${number}`, content: [...content], createdAt}, role};
}
