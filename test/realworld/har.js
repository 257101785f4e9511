// Fails unless a file is a valid HTTP Archive, by the package har-validator: node har.js FILE
// NODE_MODULES.
const [file, modules] = process.argv.slice(2);
const validate = require(modules + '/har-validator');
const archive = JSON.parse(require('fs').readFileSync(file, 'utf8'));

validate.har(archive).then(
	() => console.log(`a valid archive of ${archive.log.entries.length} requests`),
	problems => {
		console.error(problems.errors ?? problems);
		process.exit(1);
	});
